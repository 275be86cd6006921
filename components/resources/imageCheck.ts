import type * as command from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";

import { groupNames, type StackPlan } from "../plan";
import type { SparkNode } from "./sparkNode";
import { step } from "./step";

interface Order {
    readonly parent: pulumi.Resource;
    readonly dependsOn: readonly pulumi.Resource[];
}

/**
 * The same content on every node, seen there. Looked at again whenever the group changes, because an image may be
 * replaced by hand.
 */
export function declareImageCheck(
    plan: StackPlan,
    nodes: readonly SparkNode[],
    opts: Order,
): command.local.Command {
    const machines = plan.nodes.map(({ name, ssh }) => ({ name, ssh }));
    // One that was built once more, by `--replace` say, may hold something else.
    const built = nodes.flatMap(({ image }) => (image === undefined ? [] : [image.repoDigest]));
    const shipped = plan.image.strategy === "ship" ? [declareImageShip(plan, nodes, opts)] : [];
    return step(
        groupNames.imageCheck,
        "image-check",
        {
            input: { nodes: machines, image: plan.image, owner: plan.owner },
            triggers: [plan.group, ...built],
        },
        {
            parent: opts.parent,
            dependsOn: [...opts.dependsOn, ...nodes.flatMap((node) => node.images()), ...shipped],
        },
    );
}

/** The first node's image on all others; looked at again whenever the group changes. */
function declareImageShip(
    plan: StackPlan,
    nodes: readonly SparkNode[],
    opts: Order,
): command.local.Command {
    const machines = plan.nodes.map(({ name, ssh, fabric }) => ({ name, ssh, fabric }));
    return step(
        groupNames.imageShip,
        "image-ship",
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
