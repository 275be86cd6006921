import type * as pulumi from "@pulumi/pulumi";

/** The value of an output inside a hook: hooks run in `up` only, when it is known. */
export function known<T>(output: pulumi.Output<T>): Promise<T> {
    return new Promise((resolve) => {
        output.apply(resolve);
    });
}
