import type { Issue } from "../issue";
import { revisionOf, type PlanInput } from "./planInput";

/** What a reader should know before the change; none of it stops anything. */
export function planWarnings(input: PlanInput): readonly Issue[] {
    const pinned = revisionOf(input) !== undefined;
    return input.recipe.warnings.filter((issue) => !(pinned && issue.code === "unpinned-model"));
}
