import type * as command from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";

import { groupNames, type StackPlan } from "../plan";
import { step } from "./step";

/**
 * Notes which image serves now and removes what is older than the last ones. It runs with every start, after all else
 * was well, so that a way back is there for as long as it may be needed.
 */
export function declarePrune(
    plan: StackPlan,
    triggers: pulumi.Output<unknown[]>,
    opts: pulumi.CustomResourceOptions,
): command.local.Command {
    const nodes = plan.nodes.map(({ name, ssh, jitCaches }) => ({ name, ssh, jitCaches }));
    const { retain } = plan.housekeeping;
    const input = { nodes, owner: plan.owner, tag: plan.image.tag, retain };
    return step(groupNames.prune, "prune", { input, triggers }, opts);
}
