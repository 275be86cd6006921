import { RecipeError } from "../issue";
import type { StackPlan } from "../plan";
import type { GroupNode } from "./group";
import { decidePrune } from "./pruneDecide";
import { lookAtKept } from "./pruneLook";
import { describePrunable, notRemoved, removePrunable } from "./pruneNode";

/** What `pulumi destroy` removes of a node besides containers, by the stack's key `purge`. */
export interface Purge {
    readonly owner: string;
    readonly what: StackPlan["housekeeping"]["purge"];
    readonly jitCaches: readonly string[];
}

/**
 * Removes all of this stack's images or caches that no container uses and no other stack counts as its own.
 *
 * @returns a line for each.
 * @throws RecipeError for what could not be removed; the next destroy tries again.
 */
export async function purgeNode(
    node: GroupNode,
    { owner, what, jitCaches }: Purge,
): Promise<readonly string[]> {
    const kept = await lookAtKept(node, jitCaches);
    const prunable = decidePrune(kept, {
        ...{ owner, retain: 0, strays: "all" },
        images: what.includes("images"),
        caches: what.includes("caches"),
        nowSeconds: Date.now() / 1000,
    });
    const served = kept.releases.find((release) => release.owner === owner);
    const problems = await removePrunable(node, prunable, served?.tag ?? "none");
    if (problems.length === 0) return describePrunable(prunable);
    throw new RecipeError(
        notRemoved(node, problems, { path: "purge", again: "pulumi destroy" }),
        "The group is gone; what is named here stays.",
    );
}
