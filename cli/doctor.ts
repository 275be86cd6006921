import type { Command } from "commander";
import { preflight, type PreflightReport } from "../components/host";
import { renderIssues } from "../components/issue";
import type { StackPlan } from "../components/plan";
import { doctorPage } from "./doctorPage";
import { orIssues } from "./orIssues";
import { issuesJson } from "./printIssues";
import { planOfStack } from "./stackPlan";

interface DoctorOptions {
    readonly stack?: string;
    readonly json?: true;
}

async function look(plan: StackPlan): Promise<PreflightReport> {
    // The group's id is in the engine's state; without it, the stack's name on the containers tells which are ours.
    return preflight(plan, undefined, {
        onRetry: (node, why) => {
            process.stderr.write(`${node}  ${why.replace(/^[^:]*: /, "")}; trying for 30 s\n`);
        },
    });
}

async function report({ stack, json }: DoctorOptions): Promise<void> {
    const plan = planOfStack(stack);
    const { facts, issues } = await look(plan);
    if (json === true) {
        const { issues: list } = JSON.parse(issuesJson(issues)) as { issues: object[] };
        process.stdout.write(`${JSON.stringify({ issues: list, nodes: facts }, null, 2)}\n`);
    } else {
        process.stdout.write(`${await doctorPage(plan, facts)}\n`);
        if (issues.length > 0) process.stderr.write(`${renderIssues(issues)}\n`);
    }
    if (issues.some(({ severity }) => severity === "error")) process.exitCode = 1;
}

/** Adds `spark doctor`: exit code 0, or 1 with every issue of every node. */
export function registerDoctor(program: Command): void {
    program
        .command("doctor")
        .description("look at every node of a stack and say what would stop it; changes nothing")
        .option("--stack <name>", "stack; default: the selected one")
        .option("--json", "issues and facts as JSON")
        .action((options: DoctorOptions) => orIssues(() => report(options), options.json));
}
