import { type Issue, RecipeError, renderIssues } from "../issue";
import type { StackPlan } from "../plan";
import { mountShares } from "./nasShares";
import { preflight } from "./preflight";
import { checkRevivedContent } from "./sameContent";

const closing = "The ranks that still run were left as they are.";

/**
 * Preflight inside the engine's own process, before a group is revived: no resource changed, so that of preflight did
 * not run. A share of the program's own is mounted where it is not. Warnings are said. Throws RecipeError with every
 * issue of every node when one is an error.
 */
export async function checkNodes(
    plan: StackPlan,
    groupId: string,
    say: (text: string) => void,
): Promise<void> {
    const warnings = await see(plan, groupId);
    const mounted = await mountShares(plan, groupId, (node, text) => {
        say(`${node}: ${text}`);
    });
    const told = mounted === plan ? warnings : await see(mounted, groupId);
    if (told.length > 0) say(renderIssues(told));
    await checkRevivedContent(plan, groupId);
}

async function see(plan: StackPlan, groupId: string): Promise<readonly Issue[]> {
    const { issues } = await preflight(plan, groupId);
    if (issues.some(({ severity }) => severity === "error")) throw new RecipeError(issues, closing);
    return issues;
}
