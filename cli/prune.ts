import type { Command } from "commander";
import {
    decidePrune,
    describePrunable,
    lookAtKept,
    notRemoved,
    onEveryNode,
    type Prunable,
    removePrunable,
} from "../components/host";
import { RecipeError } from "../components/issue";
import type { NodePlan, StackPlan } from "../components/plan";
import { askedFor } from "./askedFor";
import { orIssues } from "./orIssues";
import { planOfStack } from "./stackPlan";

interface PruneOptions {
    readonly stack?: string;
    readonly dryRun?: true;
    readonly yes?: true;
}

interface NodePrune {
    readonly node: NodePlan;
    readonly prunable: Prunable;
}

/** What would go on every node; contacts them, changes nothing. Throws the issues of all nodes at once. */
async function lookAtAll({ nodes, owner, housekeeping }: StackPlan): Promise<NodePrune[]> {
    const found = await onEveryNode(nodes, async (node) => ({
        node,
        kept: await lookAtKept(node, node.jitCaches),
    }));
    const rule = {
        ...{ owner, retain: housekeeping.retain, images: true, caches: true },
        ...{ strays: "day-old" as const, nowSeconds: Date.now() / 1000 },
    };
    return found.map(({ node, kept }) => ({ node, prunable: decidePrune(kept, rule) }));
}

function pageOf(all: readonly NodePrune[]): string {
    return all
        .flatMap(({ node, prunable }) =>
            describePrunable(prunable).map((line) => `${node.name}  ${line}\n`),
        )
        .join("");
}

async function agreed({ yes }: PruneOptions): Promise<boolean> {
    if (yes === true) return true;
    return process.stdin.isTTY && askedFor("Remove these?", process.stdin, process.stderr);
}

async function removeAll(plan: StackPlan, all: readonly NodePrune[]): Promise<void> {
    const closing = "What is named here stays.";
    const again = { path: "", again: "npm run spark -- prune" };
    const remove = async ({ node, prunable }: NodePrune) =>
        notRemoved(node, await removePrunable(node, prunable, plan.image.tag), again);
    const issues = (await onEveryNode(all, remove, closing)).flat();
    if (issues.length > 0) throw new RecipeError(issues, closing);
    process.stdout.write("Removed.\n");
}

async function pruneAll(options: PruneOptions): Promise<void> {
    const plan = planOfStack(options.stack);
    const page = pageOf(await lookAtAll(plan));
    if (page === "") {
        process.stdout.write("Nothing to remove.\n");
        return;
    }
    process.stdout.write(page);
    if (options.dryRun === true) return;
    if (!(await agreed(options))) {
        process.stderr.write("Nothing was removed; --yes removes without a question.\n");
        process.exitCode = 1;
        return;
    }
    // The answer may have come late: what came into use meanwhile stays.
    const again = await lookAtAll(plan);
    if (pageOf(again) !== page) {
        process.stderr.write("The nodes changed meanwhile. Nothing was removed; run it again.\n");
        process.exitCode = 1;
        return;
    }
    await removeAll(plan, again);
}

/** Adds `spark prune`: exit code 0 when nothing is left to remove or it was only to be shown; 1 otherwise. */
export function registerPrune(program: Command): void {
    program
        .command("prune")
        .description(
            "show and remove images and JIT caches older than the last image.retain ones; never what a container uses",
        )
        .option("--stack <name>", "stack; default: the selected one")
        .option("--dry-run", "show only")
        .option("--yes", "remove without a question")
        .action((options: PruneOptions) => orIssues(() => pruneAll(options)));
}
