import type { GateContext } from "./gate";

/** Room for a reasoning model, which thinks before it answers. */
const longestAnswer = 1024;

/** Tokens to ask for at most: an engine refuses a request that may grow beyond the model's length. */
export function answerTokens({ modelLength }: GateContext, wanted = longestAnswer): number {
    return Math.max(1, Math.min(wanted, Math.floor(modelLength / 2)));
}

/** The length that /v1/models tells for the served name; Infinity when it tells none. */
export async function findModelLength(context: GateContext): Promise<number> {
    const { api, model, timeoutSeconds } = context;
    const { status, body } = await api({ path: "/v1/models", timeoutSeconds });
    return status === 200 ? (lengthOf(model, body) ?? Infinity) : Infinity;
}

/** Servers that only look like vLLM may answer anything here: no length is no fault. */
function lengthOf(model: string, body: string): number | null | undefined {
    try {
        const { data } = JSON.parse(body) as {
            data?: readonly { id: string; max_model_len?: number | null }[];
        };
        return data?.find(({ id }) => id === model)?.max_model_len;
    } catch {
        return undefined;
    }
}
