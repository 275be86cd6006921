import { RecipeError } from "../issue";
import type { MountPlan } from "../plan";
import cachesScript from "./caches.sh";
import type { GroupNode } from "./group";
import { runScript } from "./ssh";

const timeoutSeconds = 30;

/** Makes the node's cache directories where absent; returns a line for each new one. */
export async function makeCaches(
    node: GroupNode,
    mounts: readonly MountPlan[],
): Promise<readonly string[]> {
    const directories = mounts
        .filter((mount) => mount.kind === "cache")
        .map((mount) => mount.hostPath);
    const result = await runScript(node, cachesScript, { args: directories, timeoutSeconds });
    if (result.code === 0) return result.stdout.split("\n").filter((line) => line !== "");
    throw new RecipeError([
        {
            code: "bad-mount",
            severity: "error",
            file: node.name,
            path: "extra_mounts",
            problem: `a cache directory cannot be made: ${result.stderr.trim()}`,
            expected: `directories that ${node.ssh.destination} may make: ${directories.join(", ")}`,
            fix: "remove what is in the way, or change its owner",
        },
    ]);
}
