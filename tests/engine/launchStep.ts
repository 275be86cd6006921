import { spawn } from "node:child_process";

import type { LaunchResult, StackPlan } from "../../components/plan";
import { labNodes, onNode, root } from "./lab";

export interface LaunchRun {
    readonly code: number;
    /** Progress and, on failure, the message. */
    readonly output: string;
    /** Of a launch that ended in service. */
    readonly result?: LaunchResult;
    /** When the process ended; milliseconds. */
    readonly endedAt: number;
}

export interface LaunchRunOptions {
    readonly launch?: Partial<StackPlan["launch"]>;
    readonly expected?: StackPlan["expected"];
    readonly environment?: Readonly<Record<string, string>>;
    /** Called with each piece of output. */
    readonly onOutput?: (output: string) => void;
}

/** Runs the launch step on ranks that are there already, as the engine's command does, without the engine. */
export async function runLaunch(
    plan: StackPlan,
    { launch, expected, environment, onOutput }: LaunchRunOptions = {},
): Promise<LaunchRun> {
    const [head = ""] = labNodes();
    const label = '{{index .Config.Labels "spark-vllm.id"}}';
    const groupId = await onNode(
        head,
        `docker inspect -f '${label}' ${plan.nodes[0]?.rank.containerName ?? ""}`,
    );
    const input = {
        plan: {
            ...plan,
            launch: { ...plan.launch, ...launch },
            ...(expected === undefined ? {} : { expected }),
        },
        groupId,
    };
    const child = spawn(process.execPath, ["scripts/host.js", "launch"], {
        cwd: root,
        env: { ...process.env, ...environment },
    });
    let [output, stdout] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        onOutput?.(output);
    });
    child.stdin.end(JSON.stringify(input));
    const code = await new Promise<number>((resolve) => {
        child.once("close", (status) => {
            resolve(status ?? -1);
        });
    });
    const result = code === 0 ? { result: JSON.parse(stdout) as LaunchResult } : {};
    return { code, output, endedAt: Date.now(), ...result };
}
