import { RecipeError, renderIssues } from "../issue";
import type { StackPlan } from "../plan";
import { preflight } from "./preflight";

const closing = "The ranks that still run were left as they are.";

/**
 * Preflight inside the engine's own process, before a group is revived: no resource changed, so that of preflight did
 * not run. All issues are said, since the engine shows of a failed hook no more than a line. Throws RecipeError with every
 * error of every node.
 */
export async function checkNodes(
    plan: StackPlan,
    groupId: string,
    say: (text: string, severity: "error" | "info") => void,
): Promise<void> {
    const { issues } = await preflight(plan, groupId);
    const errors = issues.filter(({ severity }) => severity === "error");
    if (issues.length > 0) say(renderIssues(issues, closing), errors.length > 0 ? "error" : "info");
    if (errors.length > 0) throw new RecipeError(errors, closing);
}
