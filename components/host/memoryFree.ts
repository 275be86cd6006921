import { memoryShare } from "../cluster";
import { type Issue, RecipeError } from "../issue";
import type { NodePlan, StackPlan } from "../plan";
import memoryScript from "./memoryFree.sh";
import { runScript } from "./ssh";

/** Memory of a stopped rank comes back within a second or two; a driver that tidies up takes longer. */
const waitSeconds = 30;

/**
 * Sees on all nodes at once that the share of memory which the engine wants is available, before any rank starts.
 * The engine would refuse it too, but only after it has read its configuration, and on one node alone.
 *
 * Throws RecipeError (memory), unless the rule memory-share is ignored.
 */
export async function seeMemoryFree(plan: StackPlan): Promise<void> {
    if (plan.ignoredChecks.includes("memory-share")) return;
    const issues = await Promise.all(plan.nodes.map(lookAt));
    const short = issues.filter((issue) => issue !== undefined);
    if (short.length > 0) {
        throw new RecipeError(short, "The old ranks were stopped, no new one was started.");
    }
}

async function lookAt(node: NodePlan): Promise<Issue | undefined> {
    const share = memoryShare(node.rank.command);
    const { code, stdout } = await runScript(node, memoryScript, {
        args: [share, String(waitSeconds)],
        timeoutSeconds: waitSeconds + 30,
    });
    return code === 0 ? memoryShort(node.name, share, stdout) : undefined;
}

/** The issue in what memoryFree.sh printed; undefined when enough is available, or nothing could be read. */
export function memoryShort(node: string, share: string, said: string): Issue | undefined {
    const [available = 0, total = 0, needed = 0] = said.trim().split(" ").map(Number);
    if (!(needed > 0) || available >= needed) return undefined;
    const gib = (kib: number) => `${(kib / 2 ** 20).toFixed(1)} GiB`;
    return {
        code: "memory",
        severity: "error",
        file: node,
        path: "memory-share",
        problem:
            `${gib(available)} of memory are available ${String(waitSeconds)} s after the old ranks stopped, ` +
            `the engine wants ${gib(needed)} (${share} of ${gib(total)})`,
        expected: "the engine's share to be free",
        fix: "stop what holds it (`npm run spark -- doctor` names who), or lower --gpu-memory-utilization; then `pulumi up`",
    };
}
