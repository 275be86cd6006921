import { RecipeError } from "../issue";
import { type ArgumentCheckInput, checkArguments } from "./argumentCheck";
import { argumentIssues } from "./argumentIssues";
import type { Verdict } from "./argumentVerdict";
import { startProgress } from "./progress";

/** True wherever this step ends: it comes before the change-over. */
const stillServes = "No rank was stopped or changed: what served before still serves.";

/** The argument check as a program: a line a node on stderr. Throws RecipeError with what the parsers refuse. */
export async function argumentCheckStep(
    input: ArgumentCheckInput,
    signal: AbortSignal,
): Promise<object> {
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    const ranks = await checkArguments(input, {
        signal,
        onDone: (node, verdict) => {
            progress.say(node, saying(verdict));
        },
    });
    const issues = argumentIssues(ranks, input.image);
    if (issues.length > 0) throw new RecipeError(issues, stillServes);
    return { ranks: ranks.map(({ node, verdict }) => ({ node, ...verdict })) };
}

function saying(verdict: Verdict): string {
    switch (verdict.kind) {
        case "accepted":
            return "the image's own parser accepts the arguments";
        case "skipped":
            return `warning: the arguments were not checked: ${verdict.why}`;
        case "refused":
            return "the image's own parser refuses the arguments";
        default:
            return "the arguments could not be checked";
    }
}
