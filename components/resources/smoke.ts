import type * as command from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";

import { groupNames, type StackPlan } from "../plan";
import type { ContainerSecrets } from "./containerArgs";
import { keyVariable, step } from "./step";

/**
 * The gates of a group that serves; they run when a rank or the gates themselves changed. A gate that fails fails
 * `up` and leaves the group running.
 */
export function declareSmoke(
    plan: StackPlan,
    secrets: ContainerSecrets,
    triggers: pulumi.Output<unknown[]>,
    opts: pulumi.CustomResourceOptions,
): command.local.Command {
    const { model, smoke, launch } = plan;
    const { bind, port } = plan.api;
    const { timeoutSeconds, completionTimeoutSeconds } = launch;
    // Only what the gates read, so that a title or another limit is no change here.
    const asked = {
        nodes: plan.nodes.map(({ name, ssh }) => ({ name, ssh })),
        api: { bind, port },
        model,
        smoke,
        launch: { timeoutSeconds, completionTimeoutSeconds },
    };
    return step(
        groupNames.smoke,
        "smoke",
        { input: { plan: asked }, triggers, ...keyVariable(secrets.apiKey) },
        opts,
    );
}
