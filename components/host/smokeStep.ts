import { startProgress } from "./progress";
import { smoke } from "./smoke";
import type { SmokePlan } from "./smoke/gate";

/** The smoke gates as a program: a line a gate on stderr, all results on stdout. */
export async function smokeStep(
    { plan }: { readonly plan: SmokePlan },
    signal: AbortSignal,
): Promise<object> {
    const apiKey = process.env["SPARK_VLLM_API_KEY"];
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    return smoke(plan, { progress, signal, ...(apiKey === undefined ? {} : { apiKey }) });
}
