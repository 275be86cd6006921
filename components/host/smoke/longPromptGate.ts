import { randomBytes } from "node:crypto";

import { type GateContext, GateFailure, type Passed } from "./gate";
import { complete } from "./textGates";

/** Part of the wanted length that the prompt must have: its tokens are estimated from a sample. */
const least = 0.9;
/** Tokens for the answer, and for an estimate that is too long. */
const room = 64;
const sampleLines = 200;

/** A prompt of a part of the model's length must be read whole and answered. */
export async function longPromptGate(context: GateContext, fraction: number): Promise<Passed> {
    const { modelLength: limit } = context;
    if (limit === Infinity) {
        throw new GateFailure(
            "/v1/models does not tell max_model_len",
            "the length the model takes",
        );
    }
    const wanted = Math.max(1, Math.floor(Math.min(limit * fraction, limit - room)));
    // A beginning of its own: what an earlier run left in the prefix cache must not answer.
    const salt = randomBytes(8).toString("hex");
    const sample = await complete(context, lines(salt, sampleLines), 1);
    const perLine = sample.promptTokens / sampleLines;
    // Line numbers grow by a digit or two; a prompt that is too long would be refused.
    const count = Math.max(1, Math.floor((wanted / perLine) * 0.96));
    const long = { ...context, timeoutSeconds: context.longTimeoutSeconds };
    const answer = await complete(long, lines(`${salt} `, count), 8);
    if (answer.promptTokens < wanted * least) {
        throw new GateFailure(
            `of a prompt for ${String(wanted)} tokens the engine counted ${String(answer.promptTokens)}`,
            "the whole prompt to be read",
        );
    }
    return {
        tokens: answer.promptTokens + answer.completionTokens,
        note: `a prompt of ${String(answer.promptTokens)} tokens, the model takes ${String(limit)}`,
    };
}

function lines(salt: string, count: number): string {
    const numbers = Array.from({ length: count }, (_, at) => String(10_000 + at));
    return [salt, ...numbers.map((number) => `Line ${number} is here.`)].join("\n");
}
