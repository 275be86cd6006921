import { messageOf, RecipeError, renderIssues } from "../issue";
import type { StackPlan } from "../plan";
import { preflight } from "./preflight";
import { startProgress } from "./progress";

export interface PreflightInput {
    readonly plan: StackPlan;
    readonly groupId?: string;
}

/**
 * Preflight as a program: one line a node on stderr, warnings too, the facts worth keeping as the result.
 * Throws RecipeError with every error of every node.
 */
export async function preflightStep(
    { plan, groupId }: PreflightInput,
    signal: AbortSignal,
): Promise<object> {
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    const { facts, issues } = await preflight(plan, groupId, {
        signal,
        onRetry: (node, why) => {
            progress.say(node, `${why.replace(/^[^:]*: /, "")}; trying again for 30 s`);
        },
        onDone: (outcome) => {
            progress.say(outcome.node, outcome.kind === "facts" ? "looked at" : "not reached");
        },
    });
    const errors = issues.filter(({ severity }) => severity === "error");
    if (errors.length > 0) throw new RecipeError(issues);
    if (issues.length > 0) process.stderr.write(`${renderIssues(issues)}\n`);
    return {
        nodes: facts.map(({ node, hostname, arch, kernel, docker }) => ({
            node,
            hostname,
            arch,
            kernel,
            docker: docker.version,
        })),
        warnings: issues.map((issue) => `${issue.file ?? ""}: ${messageOf(issue)}`),
    };
}
