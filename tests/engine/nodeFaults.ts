import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { stringify } from "yaml";

import { labConfig, labNodes, onNode, root } from "./lab";

/** A stack file of the test's own: what it is called, and a configuration for it. */
export class StackFile {
    readonly path: string;

    constructor(readonly stack: string) {
        this.path = path.join(root, `Pulumi.${stack}.yaml`);
    }

    /** Writes the lab's configuration with these keys instead. */
    write(change: Readonly<Record<string, unknown>> = {}): void {
        const config = Object.entries({ ...labConfig(), ...change }).map(([key, value]) => [
            `spark-vllm:${key}`,
            value,
        ]);
        writeFileSync(this.path, stringify({ config: Object.fromEntries(config) as object }));
    }

    remove(): void {
        rmSync(this.path, { force: true });
    }
}

export interface LabNode {
    readonly name: string;
    readonly host: string;
    readonly home: string;
    readonly fabric: Readonly<Record<string, unknown>>;
}

/** The lab's nodes as its configuration has them, the second one changed. */
export function nodesWith(change: object, firstChange: object = {}): readonly object[] {
    const [first, second] = labConfig()["nodes"] as readonly LabNode[];
    return [
        { ...first, ...firstChange },
        { ...second, ...change },
    ];
}

export interface Answer {
    readonly code: number;
    readonly out: string;
    readonly err: string;
    readonly seconds: number;
}

/** Runs the `spark` command in the checkout. */
export function spark(...words: readonly string[]): Promise<Answer> {
    const started = Date.now();
    return new Promise((resolve) => {
        const args = ["scripts/spark.js", ...words];
        execFile(process.execPath, args, { cwd: root, timeout: 120_000 }, (error, out, err) => {
            const code = error === null ? 0 : Number(error.code ?? -1);
            resolve({ code, out, err, seconds: (Date.now() - started) / 1000 });
        });
    });
}

export interface ShownIssue {
    readonly code: string;
    readonly severity: string;
    readonly file: string;
    readonly path: string;
    readonly message: string;
    readonly fix?: string;
}

/** What doctor says of a stack: its errors as `node code rule`, and all issues. */
export async function doctor(stack: string) {
    const answer = await spark("doctor", "--stack", stack, "--json");
    const { issues } = JSON.parse(answer.out) as { issues: readonly ShownIssue[] };
    const errors = issues.filter(({ severity }) => severity === "error");
    return {
        ...answer,
        issues,
        errors: errors.map(({ file, code, path: rule }) => `${file} ${code} ${rule}`.trim()),
    };
}

/** What a look at the nodes must not change: containers, mounts, files; never blocks on a dead NAS. */
export async function traces(): Promise<string> {
    const line = [
        "docker ps -a --no-trunc --format '{{.ID}} {{.Names}} {{.State}}'",
        "docker images -q | sort",
        "cat /proc/mounts",
        "find /root /home /srv /opt /etc/docker -xdev | sort",
        "ls -1A / /mnt /mnt/nas /mnt/nas/ai",
        "iptables -S",
    ].join("; ");
    const all = await Promise.all(
        labNodes().map((node) => onNode(node, `{ ${line}; } 2>&1; true`)),
    );
    return all.join("\n");
}

/** Sessions of ours that still run on a node, or looks at a file system. */
export async function leftRunning(node: string, what: "sessions" | "looks"): Promise<string> {
    const pattern = what === "sessions" ? "sh -c IFS= read" : "stat -f";
    return onNode(node, `pgrep -fa '[${pattern.slice(0, 1)}]${pattern.slice(1)}'; true`);
}
