import { randomBytes } from "node:crypto";

import { type Issue, RecipeError } from "../../issue";
import type { NodePlan, StackPlan } from "../../plan";
import type { TransferOptions } from "./fetchWeights";
import { followTransfer } from "./followTransfer";
import { modelFolder, type ProgramEvent, runProgram } from "./program";
import pullProgram from "./pull.py";
import serveProgram from "./serve.py";
import { transferIssue } from "./transferIssue";

const started = "Nothing that serves was stopped; what has been copied stays.";

export interface CopyPlan {
    readonly plan: StackPlan;
    readonly from: NodePlan;
    readonly to: readonly NodePlan[];
    /** Snapshot to copy, 40 hex digits. */
    readonly revision: string;
}

/**
 * Copies a snapshot from one node to others, straight over the fabric: only what is missing there, every file
 * checked by the hash that the hub names it by. Returns the bytes that came to each.
 */
export async function copyWeights(
    copy: CopyPlan,
    options: TransferOptions,
): Promise<readonly number[]> {
    const { plan, from, to } = copy;
    const address = from.fabric?.address ?? "";
    const token = randomBytes(24).toString("hex");
    const ended = new AbortController();
    const stop =
        options.signal === undefined
            ? ended.signal
            : AbortSignal.any([ended.signal, options.signal]);
    const sender = await serve(copy, { ...options, signal: stop }, { address, token });
    options.progress.say(
        "",
        `copying from ${from.name} (${address}) to ${to.map(({ name }) => name).join(", ")}`,
    );
    const order = { address, port: sender.port, token };
    try {
        const ends = await Promise.all(to.map((node) => pull(plan, node, order, options)));
        return received(copy, options, ends);
    } finally {
        ended.abort(new Error("the copy has ended"));
        await sender.ended;
    }
}

/** Runs the receiver on one node. */
function pull(
    plan: StackPlan,
    node: NodePlan,
    sender: { readonly address: string; readonly port: number; readonly token: string },
    options: TransferOptions,
): Promise<ProgramEvent> {
    const order = { ...sender, folder: modelFolder(plan, node) };
    const program = { job: "pull", text: pullProgram, order, writes: true } as const;
    return runProgram(plan, node, program, {
        ...options,
        onEvent: followTransfer(node.name, options.progress),
    });
}

function received(
    { plan, to }: CopyPlan,
    { image = plan.image.tag }: TransferOptions,
    ends: readonly ProgramEvent[],
): readonly number[] {
    const issues = ends.flatMap((end, index): readonly Issue[] => {
        const node = to[index];
        if (node === undefined || end.kind !== "failed") return [];
        return [transferIssue({ plan, node, image, withToken: false }, end)];
    });
    if (issues.length > 0) throw new RecipeError(issues, started);
    return ends.map((end) => (end.kind === "done" ? end.fetched : 0));
}

interface Sender {
    readonly port: number;
    /** Settles when its container is gone. */
    readonly ended: Promise<void>;
}

/** Starts the sender and waits until it listens. */
function serve(
    { plan, from, revision }: CopyPlan,
    options: TransferOptions,
    { address, token }: { readonly address: string; readonly token: string },
): Promise<Sender> {
    const order = { address, token, folder: modelFolder(plan, from), revision };
    const program = { job: "serve", text: serveProgram, order, writes: false } as const;
    return new Promise((resolve, reject) => {
        let listens = false;
        const run = runProgram(plan, from, program, {
            ...options,
            onEvent: (event) => {
                if (event.kind !== "listening") return;
                listens = true;
                resolve({ port: event.port, ended: run.then(nothing, nothing) });
            },
        });
        const failed = (end: ProgramEvent) => {
            if (listens || end.kind !== "failed") return;
            const { image = plan.image.tag } = options;
            reject(
                new RecipeError(
                    [transferIssue({ plan, node: from, image, withToken: false }, end)],
                    started,
                ),
            );
        };
        run.then(failed, reject);
    });
}

const nothing = () => undefined;
