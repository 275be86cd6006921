import { checkFacts, type NodeFacts } from "../cluster";
import type { Issue } from "../issue";
import type { StackPlan } from "../plan";
import { type CollectOptions, collectFacts } from "./collectFacts";
import { checkShares } from "./nasShares";
import { tryPorts } from "./tryPorts";

/** Every node looked at, every rule applied. */
export interface PreflightReport {
    /** Of the nodes that answered, by rank. */
    readonly facts: readonly NodeFacts[];
    /** Of all nodes together, warnings included. */
    readonly issues: readonly Issue[];
}

/**
 * Looks at all nodes at once and applies the rules; changes nothing anywhere.
 *
 * @param groupId label of the stack's own containers: they may hold ports and memory. Unknown before the first `up`.
 */
export async function preflight(
    plan: StackPlan,
    groupId: string | undefined,
    options: CollectOptions = {},
): Promise<PreflightReport> {
    const outcomes = await collectFacts(plan, options);
    const told = outcomes.flatMap((each) => (each.kind === "facts" ? [each.facts] : []));
    const [facts, shares] = await Promise.all([
        tryPorts(plan, told, options.signal),
        checkShares(plan, told, groupId),
    ]);
    const unreachable = outcomes.flatMap((each) => (each.kind === "failed" ? each.issues : []));
    const found = [...checkFacts(plan, facts, groupId), ...shares];
    const ofNode = (name: string) =>
        [...unreachable, ...found].filter((issue) => issue.file === name);
    return { facts, issues: plan.nodes.flatMap(({ name }) => ofNode(name)) };
}
