import type { NodePlan } from "../plan";
import { makeCaches } from "./caches";
import { forget } from "./group";

export interface CachesInput {
    readonly node: NodePlan;
    readonly groupId: string;
}

/** Makes a node's cache directories as the login user. */
export async function cachesStep({ node }: CachesInput): Promise<object> {
    const made = await makeCaches(node);
    for (const line of made) process.stderr.write(`${node.name}  ${line}\n`);
    return { made: made.length };
}

/** Undoes what the program left on a node besides containers; caches and images stay (stack key `purge`). */
export async function forgetStep({ node, groupId }: CachesInput): Promise<object> {
    await forget(node, groupId);
    return {};
}
