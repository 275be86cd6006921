import { memoryShare } from "../cluster";
import { RecipeError } from "../issue";
import type { NodePlan, StackPlan } from "../plan";
import pageCacheScript from "./pageCache.sh";
import { runScript } from "./ssh";
import { lastLine } from "./lastLine";

/** A full NAS cache of a Spark is written back and dropped within seconds; a busy disk takes longer. */
const timeoutSeconds = 120;

/** What pageCache.sh answered, for a reader; undefined when there was nothing to do. */
export function describeDrop(answer: string): string | undefined {
    const [what, before, after] = answer.trim().split(/\s+/);
    const gib = (kib = "0") => `${(Number(kib) / 2 ** 20).toFixed(1)} GiB`;
    switch (what) {
        case "dropped":
            return `dropped the page cache: ${gib(before)} of memory were free, now ${gib(after)}`;
        case "short":
            return `the page cache stays: only ${gib(before)} are available, less than the engine wants`;
        default:
            return undefined;
    }
}

/**
 * Frees memory for the ranks' start on all nodes at once, where `launch.dropCaches` asks for it. The engine's
 * own check decides, so a node where it fails is told and not refused.
 */
export async function dropPageCaches(
    plan: StackPlan,
    say: (node: string, text: string) => void,
): Promise<void> {
    if (!plan.launch.dropCaches) return;
    const drop = async (node: NodePlan): Promise<void> => {
        const text = await dropOn(node, plan.image.tag);
        if (text !== undefined) say(node.name, text);
    };
    await Promise.all(plan.nodes.map(drop));
}

async function dropOn(node: NodePlan, image: string): Promise<string | undefined> {
    const args = [memoryShare(node.rank.command), image];
    try {
        const { code, stdout, stderr } = await runScript(node, pageCacheScript, {
            args,
            timeoutSeconds,
        });
        if (code === 0) return describeDrop(stdout);
        return `the page cache was not dropped: ${lastLine(stderr)}`;
    } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        return `the page cache was not dropped: ${error.issues[0]?.problem ?? ""}`;
    }
}
