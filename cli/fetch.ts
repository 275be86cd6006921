import type { Command } from "commander";
import { ensureWeights, startProgress } from "../components/host";
import { renderIssues } from "../components/issue";
import type { StackPlan } from "../components/plan";
import { orIssues } from "./orIssues";
import { planOfStack } from "./stackPlan";

interface FetchOptions {
    readonly stack?: string;
    readonly image?: string;
}

/** Ended by a signal: the container on the node goes with it, what has come stays. */
function endOfUser(): AbortSignal {
    const ends = new AbortController();
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        process.once(name, () => {
            ends.abort(new Error(`ended by ${name}`));
        });
    }
    return ends.signal;
}

async function fetchAll(plan: StackPlan, image: string | undefined): Promise<void> {
    const token = process.env["HF_TOKEN"];
    const fetching = { ...plan, weights: { ...plan.weights, prefetch: true } };
    const { revision, warnings } = await ensureWeights(fetching, undefined, {
        progress: startProgress((line) => process.stderr.write(`${line}\n`)),
        signal: endOfUser(),
        ...(token === undefined || token === "" ? {} : { token }),
        ...(image === undefined ? {} : { image }),
    });
    if (warnings.length > 0) process.stderr.write(`${renderIssues(warnings)}\n`);
    const nodes = plan.nodes.map(({ name }) => name).join(", ");
    process.stdout.write(`${plan.model.id} at ${revision ?? "main"} is whole on ${nodes}.\n`);
}

/** Adds `spark fetch`: exit code 0 when every node has the weights, or 1 with every issue. */
export function registerFetch(program: Command): void {
    program
        .command("fetch")
        .description(
            "download missing weights on one node, with the image's own client, and check them; HF_TOKEN for a gated model",
        )
        .option("--stack <name>", "stack; default: the selected one")
        .option("--image <name>", "an image on the node with Python and huggingface_hub")
        .action(({ stack, image }: FetchOptions) =>
            orIssues(() => fetchAll(planOfStack(stack), image)),
        );
}
