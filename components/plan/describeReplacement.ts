import { describeChanges } from "./describeChanges";
import { estimateOutage } from "./estimateOutage";
import { type RankSummary, summariseRanks } from "./rankSummary";
import type { Boot, StackPlan } from "./types";

/** What last served, as the stack's outputs keep it. */
export interface ServedBefore {
    readonly ranks: readonly RankSummary[];
    /** Digest of that group. */
    readonly group: string | undefined;
    /** The last starts, newest first. */
    readonly boots: readonly Boot[];
}

/** What a plan does to the group that last served, and what it costs; undefined: nothing, or none served yet. */
export function describeReplacement(plan: StackPlan, before: ServedBefore): string | undefined {
    if (before.ranks.length === 0 || before.group === plan.group) return undefined;
    const changes = describeChanges(before.ranks, summariseRanks(plan));
    // Order is part of the plan, too.
    const lines = changes.length > 0 ? changes : ["order of arguments, variables or mounts"];
    const replaced = `replaces ${String(plan.nodes.length)} ranks`;
    return [
        `${replaced}, ${estimateOutage(plan, before.boots)}; since the group last served:`,
        ...lines.map((line) => `  ${line}`),
    ].join("\n");
}
