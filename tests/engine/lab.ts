import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { parse } from "yaml";

import { httpOverSsh } from "../../components/host";

export const root = path.dirname(path.dirname(__dirname));

/** The stack that `lab up` wrote: its name, from the environment of the test run. */
export const labStack = process.env["SPARK_LAB_STACK"] ?? "lab";

const run = promisify(execFile);

export interface LabEntry {
    readonly name: string;
    readonly host: string;
    readonly mounts: readonly object[];
}

interface LabConfig {
    readonly "spark-vllm:nodes": readonly LabEntry[];
    readonly "spark-vllm:sshConfig": string;
}

function labFile(): LabConfig {
    const file = path.join(root, `Pulumi.${labStack}.yaml`);
    return (parse(readFileSync(file, "utf8")) as { config: LabConfig }).config;
}

/** Every node of the lab as `lab up` wrote it: one more than the recipe needs, for tests that swap one. */
export function everyLabNode(): readonly LabEntry[] {
    return labFile()["spark-vllm:nodes"];
}

/** The lab's configuration for the recipe's two nodes, without the namespace. */
export function labConfig(): Readonly<Record<string, unknown>> {
    const config: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(labFile())) {
        config[key.replace("spark-vllm:", "")] = value;
    }
    return { ...config, nodes: everyLabNode().slice(0, 2) };
}

/** The two nodes of `labConfig`, as `ssh` knows them. */
export function labNodes(): readonly string[] {
    return (labConfig()["nodes"] as readonly LabEntry[]).map(({ host }) => host);
}

/** Runs a shell line on a node; throws when it fails. */
export async function onNode(node: string, line: string): Promise<string> {
    const config = labConfig()["sshConfig"] as string;
    const { stdout } = await run("ssh", ["-F", config, node, line], { cwd: root });
    return stdout.trimEnd();
}

/** What the head's API answers to a request for tokens: status and body. */
export async function completion(body: Readonly<Record<string, unknown>> = {}) {
    const [head = ""] = labNodes();
    const config = labConfig()["sshConfig"] as string;
    const request = {
        model: "deepseek-v4-flash-vision",
        prompt: "Hello",
        max_tokens: 4,
        ...body,
    };
    process.chdir(root);
    const answer = await httpOverSsh(
        { name: head, ssh: { destination: head, config } },
        { host: "127.0.0.1", port: 8000 },
        {
            method: "POST",
            path: "/v1/completions",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(request),
            timeoutSeconds: 30,
        },
    );
    return { status: answer.status, body: JSON.parse(answer.body) as unknown };
}

/** Runs a command of the lab itself, e.g. `lab("fault", "2", "exit 1 at load")`. */
export async function lab(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(path.join(root, "tests/lab/lab"), [...args], { cwd: root });
    return stdout;
}

/** One rank's container as a node shows it. */
export interface SeenRank {
    readonly node: string;
    readonly id: string;
    readonly name: string;
    readonly group: string;
    readonly state: string;
    readonly startedAt: string;
}

const format =
    '{{.Id}} {{.Name}} {{index .Config.Labels "spark-vllm.group"}} {{.State.Status}} {{.State.StartedAt}}';

/** Every rank's container on every node, running or not. */
export async function seenRanks(): Promise<readonly SeenRank[]> {
    const all = await Promise.all(
        everyLabNode().map(async ({ host: node }) => {
            const ids = "docker ps -aq --no-trunc --filter label=spark-vllm.rank";
            const text = await onNode(
                node,
                `ids=$(${ids}); [ -z "$ids" ] || docker inspect -f '${format}' $ids`,
            );
            return text
                .split("\n")
                .filter((line) => line !== "")
                .map((line) => {
                    const [id = "", name = "", group = "", state = "", startedAt = ""] =
                        line.split(" ");
                    return { node, id, name, group, state, startedAt };
                });
        }),
    );
    return all.flat();
}
