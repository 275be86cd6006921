import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";

/** A stack by name and, as far as it is known, by its full name. */
export interface StackName {
    /** e.g. `spark`. */
    readonly stack: string;
    /** e.g. `organization/spark-vllm/spark`. */
    readonly owner: string;
}

/** Reads `spark`, `acme/spark` or `acme/spark-vllm/spark`; `organization` is the local backend's only one. */
export function stackName(text: string, project: string): StackName {
    const parts = text.split("/");
    const stack = parts.at(-1) ?? text;
    const organization = parts.length > 1 ? (parts[0] ?? "") : "organization";
    return { stack, owner: `${organization}/${project}/${stack}` };
}

/** Where Pulumi may keep the selection: its home, ours beside the downloaded tools, the user's. */
function pulumiHomes(root: string, env: NodeJS.ProcessEnv): readonly string[] {
    const { PULUMI_HOME: home } = env;
    return home
        ? [home]
        : [path.join(root, ".toolchain/pulumi-home"), path.join(homedir(), ".pulumi")];
}

/**
 * The stack that `pulumi stack select` chose: PULUMI_STACK, or Pulumi's own note, a file named after the project and
 * the sha1 of Pulumi.yaml's path.
 */
export function selectedStack(
    root: string,
    project: string,
    env: NodeJS.ProcessEnv,
): string | undefined {
    if (env["PULUMI_STACK"]) return env["PULUMI_STACK"];
    const files = [root, realpathSync(root)].map((folder) => path.join(folder, "Pulumi.yaml"));
    const names = files.map(
        (file) => `${project}-${createHash("sha1").update(file).digest("hex")}`,
    );
    const note = pulumiHomes(root, env)
        .flatMap((home) =>
            names.map((name) => path.join(home, "workspaces", `${name}-workspace.json`)),
        )
        .find((file) => existsSync(file));
    if (note === undefined) return undefined;
    const { stack } = JSON.parse(readFileSync(note, "utf8")) as { stack?: unknown };
    return typeof stack === "string" && stack !== "" ? stack : undefined;
}
