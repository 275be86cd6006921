import type { Command } from "commander";
import { renderIssues } from "../components/issue";
import { orIssues } from "./orIssues";
import { planPage } from "./planPage";
import { planOfStack } from "./stackPlan";

interface PlanOptions {
    readonly stack?: string;
    readonly recipe?: string;
    readonly json?: true;
}

async function printPlan({ stack, recipe, json }: PlanOptions): Promise<void> {
    const found = planOfStack(stack, recipe);
    if (json === true) {
        process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
        return;
    }
    process.stdout.write(`${await planPage(found)}\n`);
    if (found.warnings.length > 0) process.stderr.write(`${renderIssues(found.warnings)}\n`);
}

/** Adds `spark plan`: exit code 0, or 1 with every issue. */
export function registerPlan(program: Command): void {
    program
        .command("plan")
        .description("show what would run on which node; contacts no node")
        .option("--stack <name>", "stack; default: the selected one")
        .option("--recipe <recipe>", "another recipe than the stack's")
        .option("--json", "the whole plan as JSON")
        .action((options: PlanOptions) => orIssues(() => printPlan(options), options.json));
}
