import * as pulumi from "@pulumi/pulumi";

import { describeChanges, type RankSummary, type StackPlan, summariseRanks } from "../plan";

/** Shows what the engine's own display does not: the plan's warnings, and old and new value of each change. */
export function tellPlan(
    plan: StackPlan,
    servedBefore: pulumi.Output<readonly RankSummary[]>,
    warnings: string,
): void {
    if (warnings !== "") void pulumi.log.warn(warnings);
    servedBefore.apply((before) => {
        const changes = describeChanges(before, summariseRanks(plan));
        if (before.length === 0 || changes.length === 0) return;
        const ranks = String(plan.nodes.length);
        void pulumi.log.info(
            [
                `all ${ranks} ranks start anew; since the group last served:`,
                ...changes.map((line) => `  ${line}`),
            ].join("\n"),
        );
    });
}
