import { type Issue, RecipeError } from "../../issue";
import type { GateResult, SmokeGate, SmokeResult } from "../../plan";
import { errorText } from "../errorText";
import { headApi } from "../headApi";
import type { Progress } from "../progress";
import { type GateContext, GateFailure, type Passed, type SmokePlan } from "./gate";
import { imageGate } from "./imageGate";
import { longPromptGate } from "./longPromptGate";
import { findModelLength } from "./modelLength";
import { soakGate } from "./soakGate";
import { findChat, streamingGate, textGate } from "./textGates";
import { toolGate } from "./toolGate";

export interface SmokeOptions {
    readonly apiKey?: string;
    readonly progress: Progress;
    readonly signal?: AbortSignal;
}

const stays = "The group runs and was left running, for a look.";

/**
 * Runs the plan's gates one after the other against the running group.
 *
 * Throws RecipeError (gate-failed) with every gate that does not hold; nothing is stopped.
 */
export async function smoke(plan: SmokePlan, options: SmokeOptions): Promise<SmokeResult> {
    const [head] = plan.nodes;
    if (head === undefined) throw new Error("a plan has at least one node");
    const { completionTimeoutSeconds, timeoutSeconds } = plan.launch;
    const context: GateContext = {
        api: headApi(head, plan.api, options.apiKey),
        model: plan.model.servedName,
        timeoutSeconds: completionTimeoutSeconds,
        longTimeoutSeconds: timeoutSeconds,
        chat: true,
        modelLength: Infinity,
        gates: plan.smoke,
        nodes: plan.nodes,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    const say = (text: string) => {
        options.progress.say(head.name, text);
    };
    const { results, failures } = await runGates(context, say);
    if (failures.length === 0) return { gates: results };
    throw new RecipeError(
        failures.map(({ gate, error }) => gateFailed(head.name, gate, error)),
        stays,
    );
}

interface Failed {
    readonly gate: SmokeGate["kind"];
    readonly error: unknown;
}

/** All gates in the plan's order; an API that does not answer at all ends them. */
export async function runGates(
    context: GateContext,
    say: (text: string) => void,
): Promise<{ readonly results: readonly GateResult[]; readonly failures: readonly Failed[] }> {
    const results: GateResult[] = [];
    const failures: Failed[] = [];
    let known = context;
    for (const gate of context.gates) {
        const started = Date.now();
        try {
            if (gate.kind === "text") {
                const modelLength = await findModelLength(known);
                known = { ...known, modelLength, chat: await findChat(known) };
            }
            const passed = await runGate(gate, known);
            const result = resultOf(gate.kind, (Date.now() - started) / 1000, passed);
            say(inWords(result));
            results.push(result);
        } catch (error) {
            context.signal?.throwIfAborted();
            say(`gate ${gate.kind}: failed`);
            failures.push({ gate: gate.kind, error });
            if (!(error instanceof GateFailure)) break;
        }
    }
    return { results, failures };
}

function runGate(gate: SmokeGate, context: GateContext): Promise<Passed> {
    switch (gate.kind) {
        case "text":
            return textGate(context);
        case "streaming":
            return streamingGate(context);
        case "tool-call":
            return toolGate(context, gate.choice);
        case "image":
            return imageGate(context, gate);
        case "long-prompt":
            return longPromptGate(context, gate.fraction);
        case "soak":
            return soakGate(context, gate.minutes);
        default:
            return gate satisfies never;
    }
}

function resultOf(gate: SmokeGate["kind"], seconds: number, passed: Passed): GateResult {
    const perSecond = passed.tokens / Math.max(seconds, 0.001);
    return {
        gate,
        seconds: Number(seconds.toFixed(2)),
        tokensPerSecond: Number(perSecond.toFixed(1)),
        ...passed,
    };
}

/** A gate's result as one line. */
function inWords({ gate, seconds, tokens, tokensPerSecond, note }: GateResult): string {
    const figures = `${seconds.toFixed(1)} s, ${String(tokens)} tokens, ${String(tokensPerSecond)} tokens/s`;
    return `gate ${gate}: ${figures}${note === undefined ? "" : ` (${note})`}`;
}

function gateFailed(node: string, gate: SmokeGate["kind"], error: unknown): Issue {
    const [problem, expected] =
        error instanceof GateFailure
            ? [error.problem, error.expected]
            : [errorText(error), "an answer"];
    return {
        code: "gate-failed",
        severity: "error",
        file: node,
        path: "",
        problem: `gate ${gate}: ${problem}`,
        expected,
        fix: "`npm run spark -- smoke` asks the running group again, and so does `pulumi up`",
    };
}
