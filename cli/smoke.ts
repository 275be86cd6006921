import type { Command } from "commander";
import { headKey, smoke, startProgress } from "../components/host";
import { orIssues } from "./orIssues";
import { planOfStack } from "./stackPlan";

interface SmokeCommandOptions {
    readonly stack?: string;
    readonly json?: true;
}

async function ask({ stack, json }: SmokeCommandOptions): Promise<void> {
    const plan = planOfStack(stack);
    const apiKey = plan.api.authenticated ? await headKey(plan) : undefined;
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    const result = await smoke(plan, { progress, ...(apiKey === undefined ? {} : { apiKey }) });
    if (json === true) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else process.stdout.write(`${String(result.gates.length)} gates passed.\n`);
}

/** Adds `spark smoke`: exit code 0, or 1 with every gate that does not hold. */
export function registerSmoke(program: Command): void {
    program
        .command("smoke")
        .description("ask the running group what the plan's gates ask; changes nothing")
        .option("--stack <name>", "stack; default: the selected one")
        .option("--json", "the gates' results, or the issues, as JSON")
        .action((options: SmokeCommandOptions) => orIssues(() => ask(options), options.json));
}
