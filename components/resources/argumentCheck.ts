import type * as command from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";

import { groupNames, type StackPlan } from "../plan";
import type { SparkNode } from "./sparkNode";
import { step } from "./step";

/**
 * The new image's own parser judges every rank's arguments while the old group still serves. It runs only when
 * a rank changes.
 */
export function declareArgumentCheck(
    plan: StackPlan,
    groupId: pulumi.Output<string>,
    nodes: readonly SparkNode[],
    imageCheck: pulumi.Resource,
    opts: pulumi.CustomResourceOptions,
): command.local.Command {
    const { tag, platform } = plan.image;
    // Only what the parser is asked, so that a title or a limit is no change here.
    const asked = plan.nodes.map(({ name, ssh, rank }) => ({
        name,
        ssh,
        rank: { rank: rank.rank, command: rank.command, env: rank.env },
    }));
    return step(
        groupNames.argumentCheck,
        "argument-check",
        {
            input: groupId.apply((id) => ({
                groupId: id,
                image: { tag, platform },
                nodes: asked,
            })),
            triggers: [plan.group],
        },
        { ...opts, dependsOn: [imageCheck, ...nodes.map((node) => node.caches)] },
    );
}
