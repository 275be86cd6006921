import type * as command from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";

import { groupNames, type StackPlan } from "../plan";
import type { SparkNode } from "./sparkNode";
import { step } from "./step";

/**
 * The same content on every node, seen there. Looked at again whenever the group changes, because an image may be
 * replaced by hand.
 */
export function declareImageCheck(
    plan: StackPlan,
    nodes: readonly SparkNode[],
    opts: { readonly parent: pulumi.Resource; readonly dependsOn: readonly pulumi.Resource[] },
): command.local.Command {
    const machines = plan.nodes.map(({ name, ssh }) => ({ name, ssh }));
    return step(
        groupNames.imageCheck,
        "image-check",
        {
            input: { nodes: machines, image: plan.image, owner: plan.owner },
            triggers: [plan.group],
        },
        {
            parent: opts.parent,
            dependsOn: [...opts.dependsOn, ...nodes.flatMap((node) => node.images())],
        },
    );
}
