import type { MountPlan } from "../plan";
import { makeCaches } from "./caches";
import { forget, type GroupNode } from "./group";

export interface CachesInput {
    readonly node: GroupNode;
    readonly mounts: readonly MountPlan[];
    readonly groupId: string;
}

/** Makes a node's cache directories as the login user. */
export async function cachesStep({ node, mounts }: CachesInput): Promise<object> {
    const made = await makeCaches(node, mounts);
    for (const line of made) process.stderr.write(`${node.name}  ${line}\n`);
    return { made: made.length };
}

/** Undoes what the program left on a node besides containers; caches and images stay (stack key `purge`). */
export async function forgetStep({ node, groupId }: CachesInput): Promise<object> {
    await forget(node, groupId);
    return {};
}
