import { existsSync, readFileSync } from "node:fs";

import * as pulumi from "@pulumi/pulumi";

/** The running stack's name and configuration as the engine hands them to the program. */
export function stackSource() {
    const [organization, project, stack] = [
        pulumi.getOrganization(),
        pulumi.getProject(),
        pulumi.getStack(),
    ];
    const namespace = `${project}:`;
    const config = Object.entries(pulumi.runtime.allConfig())
        .filter(([key]) => key.startsWith(namespace))
        .map(([key, value]) => [key.slice(namespace.length), value]);
    // For the lines of messages only: the configuration may come from elsewhere (--config-file).
    const file = `Pulumi.${stack}.yaml`;
    return {
        project: ".",
        stack,
        owner: `${organization}/${project}/${stack}`,
        config: Object.fromEntries(config) as Readonly<Record<string, string>>,
        ...(existsSync(file) ? { text: readFileSync(file, "utf8") } : {}),
    };
}
