import type { NodePlan, StackPlan } from "../../plan";
import { runScript } from "../ssh";
import containerScript from "./container.sh";
import { lastLine } from "../lastLine";

/** What our programs print, one object a line. Sizes are bytes. */
export type ProgramEvent =
    | {
          readonly kind: "size";
          readonly total: number;
          readonly done: number;
          readonly free: number;
      }
    | { readonly kind: "progress"; readonly total: number; readonly done: number }
    | { readonly kind: "retry"; readonly text: string; readonly seconds: number }
    | { readonly kind: "listening"; readonly port: number }
    | { readonly kind: "done"; readonly total: number; readonly fetched: number }
    | ProgramFailure;

export interface ProgramFailure {
    readonly kind: "failed";
    readonly why:
        | "gated"
        | "unknown"
        | "disk"
        | "permission"
        | "network"
        | "content"
        | "incomplete"
        | "no-client"
        | "no-image"
        | "no-directory"
        | "program";
    readonly text: string;
    /** Of `gated` and `unknown`: what the hub answered. */
    readonly status?: number;
    /** Of `disk`. */
    readonly needed?: number;
    readonly free?: number;
}

export interface Program {
    readonly job: "fetch" | "serve" | "pull";
    readonly text: string;
    /** What the program is told; goes over stdin, so it may hold a token. */
    readonly order: object;
    /** Whether the program writes to the hub. */
    readonly writes: boolean;
    /** Variables of the container; no secrets. */
    readonly env?: Readonly<Record<string, string>>;
}

export interface ProgramOptions {
    /** Image with Python; default: the plan's. */
    readonly image?: string;
    readonly signal?: AbortSignal;
    readonly onEvent?: (event: ProgramEvent) => void;
}

/** The hub as a node's rank mounts it. */
export function hubMount(node: NodePlan): { readonly here: string; readonly there: string } {
    const mount = node.rank.mounts.find(({ kind }) => kind === "weights");
    return { here: mount?.hostPath ?? "", there: mount?.containerPath ?? "" };
}

/** The model's folder in the container. */
export function modelFolder(plan: StackPlan, node: NodePlan): string {
    return `${hubMount(node).there}/hub/models--${plan.model.id.replaceAll("/", "--")}`;
}

/**
 * Runs a program in a one-shot container on a node and hands on what it prints; resolves with its last word,
 * `done` or `failed`. The container ends with this call, this process or the connection.
 */
export async function runProgram(
    plan: StackPlan,
    node: NodePlan,
    program: Program,
    { image = plan.image.tag, signal, onEvent }: ProgramOptions,
): Promise<ProgramEvent> {
    const { job, text, order, writes, env = {} } = program;
    const { here, there } = hubMount(node);
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    let last: ProgramEvent | undefined;
    const { code, stderr } = await runScript(node, containerScript, {
        args: [job, plan.stack, image, here, there, writes ? "rw" : "ro", ...variables],
        input: `${JSON.stringify({ name: `spark-vllm ${job}`, program: text, ...order })}\n`,
        onLine: (line, stream) => {
            if (stream !== "stdout" || !line.startsWith('{"kind"')) return;
            last = JSON.parse(line) as ProgramEvent;
            onEvent?.(last);
        },
        ...(signal === undefined ? {} : { signal }),
    });
    if (last?.kind === "done" || last?.kind === "failed") return last;
    return {
        kind: "failed",
        why: reasonOf(code, stderr),
        text: lastLine(stderr).trim().slice(0, 400),
    };
}

function reasonOf(code: number, stderr: string): ProgramFailure["why"] {
    if (code === 64) return "no-image";
    if (code === 65) return "no-directory";
    return /exec: "?python3/.test(stderr) ? "no-client" : "program";
}
