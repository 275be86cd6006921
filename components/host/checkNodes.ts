import { RecipeError, renderIssues } from "../issue";
import type { StackPlan } from "../plan";
import { preflight } from "./preflight";

const closing = "The ranks that still run were left as they are.";

/**
 * Preflight inside the engine's own process, before a group is revived: no resource changed, so that of preflight did
 * not run. Warnings are said. Throws RecipeError with every issue of every node when one is an error.
 */
export async function checkNodes(
    plan: StackPlan,
    groupId: string,
    say: (text: string) => void,
): Promise<void> {
    const { issues } = await preflight(plan, groupId);
    if (issues.some(({ severity }) => severity === "error")) throw new RecipeError(issues, closing);
    if (issues.length > 0) say(renderIssues(issues));
}
