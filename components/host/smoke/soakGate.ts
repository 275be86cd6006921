import { errorText } from "../errorText";
import type { Answer } from "./answer";
import { type GateContext, GateFailure, type Passed } from "./gate";
import { imageParts } from "./imageGate";
import { type LowestMemory, watchMemory } from "./lowestMemory";
import { chat, complete } from "./textGates";

/** Requests at a time: a Spark pair's recipes run two to a few sequences. */
const workers = 3;

type Ask = (context: GateContext, turn: number) => Promise<Answer>;

/** Short and long, read and written, with pictures where the image has a gate for them. */
function mixOf({ chat: hasChat, gates, modelLength }: GateContext): readonly Ask[] {
    const essay = (turn: number) => `Write about the number ${String(turn)}, at length.`;
    // A line is far below 64 tokens.
    const repeats = Math.max(1, Math.min(200, Math.floor(modelLength / 64) - 1));
    return [
        (context, turn) => complete(context, essay(turn), 256),
        (context, turn) => complete(context, `${essay(turn)}\n`.repeat(repeats), 32),
        ...(hasChat ? [(context: GateContext, turn: number) => chat(context, essay(turn))] : []),
        ...(hasChat && gates.some(({ kind }) => kind === "image")
            ? [
                  (context: GateContext) =>
                      chat(context, [
                          ...imageParts(),
                          { type: "text", text: "What is in this image?" },
                      ]),
              ]
            : []),
    ];
}

/** Mixed load for some minutes; every request must be answered. Tells the lowest available memory of each node. */
export async function soakGate(context: GateContext, minutes: number): Promise<Passed> {
    const memory = watchMemory(context.nodes);
    const until = Date.now() + minutes * 60_000;
    let [turn, tokens] = [0, 0];
    let failed: unknown;
    const mix = mixOf(context);
    const work = async () => {
        while (Date.now() < until && failed === undefined) {
            const mine = turn++;
            const ask = mix[mine % mix.length];
            try {
                const answer = await ask?.(context, mine);
                tokens += answer?.completionTokens ?? 0;
            } catch (error) {
                failed ??= error;
            }
        }
    };
    await Promise.all(Array.from({ length: workers }, work));
    const lowestMemory = await memory.end();
    if (failed !== undefined) throw withMemory(failed, turn, lowestMemory);
    const note = `${String(turn)} requests; lowest available memory ${inWords(lowestMemory)}`;
    return { tokens, note, lowestMemory };
}

function inWords(lowest: readonly LowestMemory[]): string {
    return lowest
        .map(({ node, gib }) => `${node} ${gib === null ? "unknown" : `${String(gib)} GiB`}`)
        .join(", ");
}

function withMemory(error: unknown, turn: number, lowest: readonly LowestMemory[]): Error {
    const [problem, expected] =
        error instanceof GateFailure
            ? [error.problem, error.expected]
            : [errorText(error), "an answer"];
    const seen = `lowest available memory ${inWords(lowest)}`;
    return new GateFailure(`request ${String(turn)} failed: ${problem}; ${seen}`, expected);
}
