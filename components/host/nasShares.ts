import type { NodeFacts } from "../cluster";
import { type Issue, RecipeError } from "../issue";
import type { StackPlan } from "../plan";
import { checkNas, mountNas } from "./nas";
import { onEveryNode } from "./onEveryNode";

/** Whether the share that the program is to mount can be mounted, on every node that answered. */
export async function checkShares(
    plan: StackPlan,
    facts: readonly NodeFacts[],
    groupId: string | undefined,
): Promise<readonly Issue[]> {
    const { nasMount: mount } = plan;
    if (mount === undefined) return [];
    const nodes = plan.nodes.filter(({ name }) => facts.some(({ node }) => node === name));
    const found = await Promise.all(
        nodes.map(async (node) => {
            try {
                return await checkNas(node, mount, groupId ?? "");
            } catch (error) {
                if (error instanceof RecipeError) return error.issues;
                throw error;
            }
        }),
    );
    return found.flat();
}

/**
 * Mounts the share on every node where it is not mounted, e.g. after a restart of the machine: no resource changed
 * by that. Throws RecipeError with every node's reason.
 *
 * @returns the plan for which whatever is not there now, is missing.
 */
export async function mountShares(
    plan: StackPlan,
    groupId: string,
    say: (node: string, text: string) => void,
): Promise<StackPlan> {
    const { nasMount: mount, ...mounted } = plan;
    if (mount === undefined) return plan;
    await onEveryNode(
        plan.nodes,
        async (node) => {
            const outcome = await mountNas(node, mount, groupId);
            if (outcome === "made") say(node.name, `mounted ${mount.source} at ${mount.path}`);
        },
        "Nothing that serves was stopped.",
    );
    return mounted;
}
