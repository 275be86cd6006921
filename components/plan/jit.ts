import { isKernelCache, isKernelCacheVariable, type RecipeMount } from "../recipe";
import { planMount } from "./mounts";
import type { PlanInput } from "./planInput";
import type { StackPlan } from "./types";

const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/**
 * The host directories in which a rank's libraries keep compiled kernels: mounts at their usual places, and what a
 * variable puts below a mount. Outermost first come, so that each is moved once.
 */
export function jitCaches(
    mounts: readonly RecipeMount[],
    env: Readonly<Record<string, string>>,
    home: string | undefined,
): readonly string[] {
    const writable = mounts.filter(({ readOnly }) => !readOnly);
    const byPlace = writable.filter(isKernelCache).map((mount) => planMount(mount, home).hostPath);
    const byVariable = Object.entries(env)
        .filter(([name]) => isKernelCacheVariable(name))
        .flatMap(([, value]) => {
            const mount = writable.find(({ container }) => within(value, container));
            if (mount === undefined) return [];
            return [planMount(mount, home).hostPath + value.slice(mount.container.length)];
        });
    const all = [...new Set([...byPlace, ...byVariable])];
    return all.filter((path) => !all.some((other) => other !== path && within(path, other)));
}

/** What of a stack its compiled kernels depend on, besides the image's libraries. */
export function planJit({ recipe, cluster }: PlanInput): StackPlan["jit"] {
    const { tensorParallelSize, pipelineParallelSize } = recipe;
    const { platform } = cluster.image;
    return {
        topology: { tensorParallelSize, pipelineParallelSize, platform },
        onChange: cluster.caches.onImageChange,
    };
}
