import type * as pulumi from "@pulumi/pulumi";

import { groupNames, type StackPlan } from "../plan";
import type { ContainerSecrets } from "./containerArgs";
import { step } from "./step";

/**
 * What a registry has to give before images are built, sent or compared. Looked at again whenever the group changes,
 * for a build's bases when there is something to build.
 *
 * @returns what the images wait for.
 */
export function declareImagePull(
    { plan, secrets }: { readonly plan: StackPlan; readonly secrets: ContainerSecrets },
    preflight: pulumi.Resource,
    opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
    if (plan.image.pull === undefined) return preflight;
    const machines = plan.nodes.map(({ name, ssh }) => ({ name, ssh }));
    const { registryPassword: password } = secrets;
    return step(
        groupNames.imagePull,
        "image-pull",
        {
            input: { nodes: machines, image: plan.image },
            triggers: [plan.image.build?.digest ?? plan.group],
            ...(password === undefined
                ? {}
                : { secretEnvironment: { SPARK_VLLM_REGISTRY_PASSWORD: password } }),
        },
        { ...opts, dependsOn: [preflight] },
    );
}
