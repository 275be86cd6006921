import { messageOf, RecipeError } from "../issue";
import type { NodePlan } from "../plan";
import type { GroupNode } from "./group";
import { cachesInPlace, decidePrune, type PruneRule } from "./pruneDecide";
import { lookAtKept, noteRelease } from "./pruneLook";
import { describePrunable, removePrunable } from "./pruneNode";

export interface PruneInput {
    readonly nodes: readonly (GroupNode & Pick<NodePlan, "jitCaches">)[];
    readonly owner: string;
    readonly tag: string;
    /** Images of this stack that stay on each node, the serving one counted. */
    readonly retain: number;
}

/**
 * Notes on every node which image serves now, and removes what is older than the last ones. The group serves by now, so
 * what cannot be removed is told and is no error.
 */
export async function pruneStep(input: PruneInput): Promise<object> {
    const removed = await Promise.all(
        input.nodes.map(async (node) => {
            try {
                return await pruneOn(node, input);
            } catch (error) {
                if (!(error instanceof RecipeError)) throw error;
                for (const issue of error.issues) say(node, `not tidied up: ${messageOf(issue)}`);
                return 0;
            }
        }),
    );
    return { removed: removed.reduce((sum, count) => sum + count, 0) };
}

function say({ name }: GroupNode, text: string): void {
    process.stderr.write(`${name}  ${text}\n`);
}

async function pruneOn(node: PruneInput["nodes"][number], input: PruneInput): Promise<number> {
    const { owner, tag, retain } = input;
    const now = new Date();
    const kept = await lookAtKept(node, node.jitCaches);
    const caches = cachesInPlace(kept, node.jitCaches);
    const served = { owner, tag, servedAt: now.toISOString(), caches };
    const noted = await noteRelease(node, kept.releases, served);
    const others = kept.releases.filter((other) => other.owner !== owner || other.tag !== tag);
    const rule: PruneRule = {
        ...{ owner, retain, images: true, caches: true, strays: "none" },
        nowSeconds: now.getTime() / 1000,
    };
    const prunable = decidePrune({ ...kept, releases: [...others, noted] }, rule);
    const problems = await removePrunable(node, prunable, tag);
    for (const line of problems) say(node, line);
    const lines = describePrunable(prunable);
    if (problems.length === 0) for (const line of lines) say(node, `removed ${line}`);
    return problems.length === 0 ? lines.length : 0;
}
