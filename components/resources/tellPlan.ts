import * as pulumi from "@pulumi/pulumi";

import { describeReplacement, type StackPlan } from "../plan";
import type { PreviousRun } from "./previousRun";

/**
 * Shows what the engine's own display does not: the plan's warnings, old and new value of each change, and what
 * it costs.
 */
export function tellPlan(plan: StackPlan, previous: PreviousRun, warnings: string): void {
    if (warnings !== "") void pulumi.log.warn(warnings);
    pulumi.all([previous.ranks, previous.group, previous.boots]).apply(([ranks, group, boots]) => {
        const text = describeReplacement(plan, { ranks, group, boots });
        if (text !== undefined) void pulumi.log.info(text);
    });
}
