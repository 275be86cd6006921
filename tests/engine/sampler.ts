import { runScript } from "../../components/host";
import { labConfig, everyLabNode } from "./lab";

/** When a group's rank was first and last seen running on any node, in the nodes' own time (ns; one kernel). */
interface Seen {
    first: bigint;
    last: bigint;
}

export interface SeenGroup {
    readonly group: string;
    /** Groups that ran at the same time, on any node. */
    readonly overlaps: readonly string[];
}

const loop =
    "while :; do for g in $(docker ps --filter label=spark-vllm.rank --format " +
    '\'{{.Label "spark-vllm.group"}}\'); do echo "$(date +%s%N) $g"; done; sleep 0.1; done';

/**
 * Looks at the running ranks of all nodes about every 100 ms while `during` runs; returns the groups in the
 * order they appeared.
 */
export async function sampleRanks(during: () => Promise<void>): Promise<readonly SeenGroup[]> {
    const seen = new Map<string, Seen>();
    const stop = new AbortController();
    const config = labConfig()["sshConfig"] as string;
    const looks = everyLabNode().map(({ host: name }) =>
        runScript({ name, ssh: { destination: name, config } }, loop, {
            signal: stop.signal,
            // The end of the loop is told on stderr.
            onLine: (line, stream) => {
                if (stream === "stdout") note(seen, line);
            },
        }).catch(() => undefined),
    );
    try {
        await during();
    } finally {
        stop.abort();
        await Promise.all(looks);
    }
    const groups = [...seen].toSorted(([, a], [, b]) => (a.first < b.first ? -1 : 1));
    return groups.map(([group, { first, last }]) => ({
        group,
        overlaps: groups
            .filter(([other, span]) => other !== group && span.first <= last && span.last >= first)
            .map(([other]) => other),
    }));
}

function note(seen: Map<string, Seen>, line: string): void {
    const [time = "", group = ""] = line.split(" ");
    const at = BigInt(time);
    const span = seen.get(group);
    if (span === undefined) seen.set(group, { first: at, last: at });
    else if (at > span.last) span.last = at;
    else if (at < span.first) span.first = at;
}
