import { existsSync } from "node:fs";
import * as path from "node:path";
import type { Command } from "commander";
import { placeIssues } from "../components/cluster";
import { RecipeError, renderIssues, type Issue } from "../components/issue";
import { loadPlan, type StackSource } from "../components/loadPlan";
import type { StackPlan } from "../components/plan";
import { issuesJson } from "./printIssues";
import { planPage } from "./planPage";
import { readStack } from "./readStack";

interface PlanOptions {
    readonly stack?: string;
    readonly recipe?: string;
    readonly json?: true;
}

/** Folder of Pulumi.yaml, here or above; else this folder, whose missing stack file is then the message. */
function projectRoot(folder: string): string {
    if (existsSync(path.join(folder, "Pulumi.yaml"))) return folder;
    const parent = path.dirname(folder);
    return parent === folder ? process.cwd() : projectRoot(parent);
}

function planOf({ project, ...source }: StackSource): StackPlan {
    try {
        return loadPlan({ project, ...source });
    } catch (error) {
        if (!(error instanceof RecipeError) || source.text === undefined) throw error;
        // What recipe and configuration contradict each other in has its line in the stack's file too.
        const file = `Pulumi.${source.stack}.yaml`;
        throw new RecipeError(placeIssues(error.issues, { file, text: source.text }));
    }
}

function printIssues(issues: readonly Issue[], json: boolean): void {
    if (json) {
        process.stdout.write(`${issuesJson(issues)}\n`);
    } else {
        process.stderr.write(`${renderIssues(issues)}\n`);
    }
}

async function printPlan({ stack, recipe, json }: PlanOptions): Promise<void> {
    const root = projectRoot(process.cwd());
    process.chdir(root); // paths in the plan and in messages are relative to the project
    const source = { ...readStack(root, stack, process.env), project: "." };
    const config = recipe === undefined ? source.config : { ...source.config, recipe };
    const found = planOf({ ...source, config });
    if (json === true) {
        process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
        return;
    }
    process.stdout.write(`${await planPage(found)}\n`);
    if (found.warnings.length > 0) process.stderr.write(`${renderIssues(found.warnings)}\n`);
}

async function plan(options: PlanOptions): Promise<void> {
    try {
        await printPlan(options);
    } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        printIssues(error.issues, options.json === true);
        process.exitCode = 1;
    }
}

/** Adds `spark plan`: exit code 0, or 1 with every issue. */
export function registerPlan(program: Command): void {
    program
        .command("plan")
        .description("show what would run on which node; contacts no node")
        .option("--stack <name>", "stack; default: the selected one")
        .option("--recipe <recipe>", "another recipe than the stack's")
        .option("--json", "the whole plan as JSON")
        .action(plan);
}
