import type { Cluster, Node } from "../cluster";
import type { Recipe, RecipeMount } from "../recipe";
import type { MountPlan } from "./types";

/** Variable whose mount is the model hub. */
export const hubVariable = "HF_HOME";

/** Whether a mount cannot be made absolute without the login user's home. */
export function needsHome(mount: RecipeMount): boolean {
    return mount.host.startsWith("~");
}

/** The mounts of a rank as written: the recipe's, with the stack's hub, then the node's own. */
export function mountsOf(recipe: Recipe, cluster: Cluster, node: Node): readonly RecipeMount[] {
    const { path } = cluster.weights;
    const ofRecipe = recipe.mounts.map((mount) =>
        mount.env === hubVariable && path !== undefined ? { ...mount, host: path } : mount,
    );
    const hasHub = recipe.mounts.some((mount) => mount.env === hubVariable);
    const hub =
        path === undefined || hasHub
            ? []
            : [{ host: path, container: path, env: hubVariable, readOnly: false }];
    return [...ofRecipe, ...hub, ...node.mounts];
}

function kindOf(mount: RecipeMount, hostPath: string, home: string | undefined): MountPlan["kind"] {
    if (mount.env === hubVariable) return "weights";
    return home !== undefined && hostPath.startsWith(`${home}/`) ? "cache" : "directory";
}

/** The mount with its node's own absolute path; `~` is the login user's home there. */
export function planMount(mount: RecipeMount, home: string | undefined): MountPlan {
    const hostPath = needsHome(mount) ? mount.host.replace("~", home ?? "~") : mount.host;
    return {
        hostPath,
        containerPath: mount.container,
        readOnly: mount.readOnly,
        kind: kindOf(mount, hostPath, home),
    };
}

/** Variables that mounts set to their container path. */
export function mountEnv(mounts: readonly RecipeMount[]): Readonly<Record<string, string>> {
    return Object.fromEntries(
        mounts.flatMap(({ env, container }) => (env === undefined ? [] : [[env, container]])),
    );
}
