import { type ChildProcess, spawn } from "node:child_process";

import { labConfig, labNodes, root } from "./lab";

/** When a group's rank was first and last seen running on any node, in the nodes' own time (ns; one kernel). */
interface Seen {
    first: bigint;
    last: bigint;
}

const loop =
    "while :; do for g in $(docker ps --filter label=spark-vllm.rank --format " +
    '\'{{.Label "spark-vllm.group"}}\'); do echo "$(date +%s%N) $g"; done; sleep 0.1; done';

/** Looks at the running ranks of all nodes about every 100 ms until it is stopped. */
export class Sampler {
    private readonly seen = new Map<string, Seen>();
    private readonly children: readonly ChildProcess[];

    constructor() {
        const config = labConfig()["sshConfig"] as string;
        this.children = labNodes().map((node) => {
            const child = spawn("ssh", ["-F", config, node, loop], { cwd: root });
            let rest = "";
            child.stdout.on("data", (chunk: Buffer) => {
                const lines = (rest + chunk.toString()).split("\n");
                rest = lines.pop() ?? "";
                lines.forEach((line) => {
                    this.note(line);
                });
            });
            return child;
        });
    }

    /** Ends the look; returns the groups in the order they appeared, each with what it overlaps. */
    async stop(): Promise<readonly { readonly group: string; readonly overlaps: string[] }[]> {
        await Promise.all(
            this.children.map(
                (child) =>
                    new Promise((resolve) => {
                        child.once("close", resolve);
                        child.kill();
                    }),
            ),
        );
        const groups = [...this.seen].toSorted(([, a], [, b]) => (a.first < b.first ? -1 : 1));
        return groups.map(([group, { first, last }]) => ({
            group,
            overlaps: groups
                .filter(
                    ([other, span]) => other !== group && span.first <= last && span.last >= first,
                )
                .map(([other]) => other),
        }));
    }

    private note(line: string): void {
        const [time = "", group = ""] = line.split(" ");
        const at = BigInt(time);
        const span = this.seen.get(group);
        if (span === undefined) this.seen.set(group, { first: at, last: at });
        else if (at > span.last) span.last = at;
        else if (at < span.first) span.first = at;
    }
}
