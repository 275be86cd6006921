import { messageOf } from "../../issue";
import type { StackPlan } from "../../plan";
import { startProgress } from "../progress";
import { ensureWeights } from "./ensureWeights";

export interface WeightsInput {
    readonly plan: StackPlan;
    readonly groupId?: string;
}

/** Downloads, copies and checks the weights as a program; the token comes in the environment. */
export async function weightsStep(
    { plan, groupId }: WeightsInput,
    signal: AbortSignal,
): Promise<object> {
    const token = process.env["SPARK_VLLM_HUGGING_FACE_TOKEN"];
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    const { warnings, ...result } = await ensureWeights(plan, groupId, {
        progress,
        signal,
        ...(token === undefined ? {} : { token }),
    });
    return {
        ...result,
        warnings: warnings.map((issue) => `${issue.file ?? ""}: ${messageOf(issue)}`),
    };
}
