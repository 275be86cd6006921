import { type Issue, RecipeError } from "../issue";
import type { StackPlan } from "../plan";
import { observeAll } from "./group";

/**
 * The point between the old group and the new one: everything was checked, the old ranks were stopped right
 * before this step (by its hook), and none of them runs any more. New ranks are created only after it.
 */
export async function changeOverStep(input: {
    readonly plan: StackPlan;
    readonly groupId: string;
}): Promise<object> {
    const nodes = await observeAll(input.plan.nodes, input.groupId);
    // Ranks of this very plan are no old ones: then the step only runs again with other limits or titles.
    const old = nodes.flatMap(({ node, containers }) =>
        containers
            .filter((rank) => rank.running && rank.group !== input.plan.group)
            .map(({ name }) => ({ node, name })),
    );
    if (old.length === 0) return { stopped: true };
    const issues = old.map(({ node, name }): Issue => ({
        code: "not-ready",
        severity: "error",
        file: node,
        path: "",
        problem: `${name} was started while the group was changing over`,
        expected: "all old ranks to be gone before a new one starts",
        fix: "find out who starts it (a second `pulumi up`, a script), then run `pulumi up` again",
    }));
    throw new RecipeError(issues, "No new rank was started.");
}
