import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";

/** The long steps of components/host that run as resources. */
export type StepName =
    | "new-id"
    | "preflight"
    | "image-pull"
    | "image-ship"
    | "image-check"
    | "caches"
    | "argument-check"
    | "nas"
    | "weights"
    | "change-over"
    | "launch"
    | "smoke"
    | "prune";

export interface StepArgs {
    /** JSON-safe data the step reads from its standard input. */
    readonly input: pulumi.Input<object>;
    /** The step runs anew, as a replacement, when one of these changes. */
    readonly triggers?: pulumi.Input<unknown[]>;
    /** Name of the step that undoes this one. */
    readonly undo?: "forget" | "nas-undo";
    /** Secret variables for the step's process. */
    readonly secretEnvironment?: Readonly<Record<string, pulumi.Output<string>>>;
}

/** The API's key for a step that asks the API: in its environment, so that no command line shows it. */
export function keyVariable(
    apiKey: pulumi.Output<string> | undefined,
): Pick<StepArgs, "secretEnvironment"> {
    return apiKey === undefined ? {} : { secretEnvironment: { SPARK_VLLM_API_KEY: apiKey } };
}

/**
 * Declares one of the program's own steps.
 *
 * The command line is one short constant, because the provider prints it several times on failure; the
 * data goes over stdin. Progress is on stderr, which is shown line by line; stdout holds the result.
 */
export function step(
    name: string,
    stepName: StepName,
    args: StepArgs,
    opts: pulumi.CustomResourceOptions,
): command.local.Command {
    return new command.local.Command(
        name,
        {
            create: `node scripts/host.js ${stepName}`,
            ...(args.undo === undefined ? {} : { delete: `node scripts/host.js ${args.undo}` }),
            stdin: pulumi.output(args.input).apply((input) => JSON.stringify(input)),
            ...(args.triggers === undefined ? {} : { triggers: args.triggers }),
            ...(args.secretEnvironment === undefined
                ? {}
                : { environment: pulumi.secret(args.secretEnvironment) }),
            logging: command.local.Logging.Stderr,
        },
        opts,
    );
}
