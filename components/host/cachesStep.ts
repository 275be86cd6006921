import type { MountPlan } from "../plan";
import { makeCaches } from "./caches";
import { forget, type GroupNode } from "./group";
import { type Purge, purgeNode } from "./purgeNode";

export interface CachesInput {
    readonly node: GroupNode;
    readonly mounts: readonly MountPlan[];
    readonly groupId: string;
    /** Absent: images and caches outlive the stack. */
    readonly purge?: Purge;
}

/** Makes a node's cache directories as the login user. */
export async function cachesStep({ node, mounts }: CachesInput): Promise<object> {
    const made = await makeCaches(node, mounts);
    for (const line of made) process.stderr.write(`${node.name}  ${line}\n`);
    return { made: made.length };
}

/** Undoes what the program left on a node besides containers; caches and images go only when the stack says so. */
export async function forgetStep({ node, groupId, purge }: CachesInput): Promise<object> {
    const removed = purge === undefined ? [] : await purgeNode(node, purge);
    for (const line of removed) process.stderr.write(`${node.name}  removed ${line}\n`);
    await forget(node, groupId);
    return {};
}
