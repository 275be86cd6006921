import type * as pulumi from "@pulumi/pulumi";

import { groupNames, type StackPlan } from "../plan";
import type { ContainerSecrets } from "./containerArgs";
import type { SparkNode } from "./sparkNode";
import { step } from "./step";

/**
 * Weights that are only there after preflight: downloaded and copied by the image's own client, then checked on
 * every node. After the argument check, so that a wrong flag does not wait for a long download.
 *
 * @returns what the change-over waits for.
 */
export function declareWeights(
    { plan, secrets }: { readonly plan: StackPlan; readonly secrets: ContainerSecrets },
    groupId: pulumi.Output<string>,
    nodes: readonly SparkNode[],
    checked: pulumi.Resource,
    opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
    if (!plan.weights.preparedByProgram) return checked;
    const { huggingFaceToken: token } = secrets;
    return step(
        groupNames.weights,
        "weights",
        {
            input: groupId.apply((id) => ({ plan, groupId: id })),
            ...(token === undefined
                ? {}
                : { secretEnvironment: { SPARK_VLLM_HUGGING_FACE_TOKEN: token } }),
        },
        { ...opts, dependsOn: [checked, ...nodes.flatMap(({ nas }) => nas)] },
    );
}
