import type { StackPlan } from "../plan";
import { errorText } from "./errorText";
import type { GroupNode } from "./group";
import { headApi } from "./headApi";

/** What the head's API said when it was asked for a real completion. */
export type Readiness =
    | { readonly kind: "not-yet"; readonly why: string }
    | { readonly kind: "serving"; readonly seconds: number }
    | { readonly kind: "broken"; readonly why: string };

export interface ReadyOptions {
    readonly apiKey?: string;
}

const prompt = "The capital of France is";
const lookTimeoutSeconds = 10;

/**
 * Asks for the served model's name, then for a real completion: /health and /v1/models can stay 200 while
 * the engine or a remote rank is dead (facts.md), so only tokens prove service.
 */
export async function askForCompletion(
    head: GroupNode,
    plan: StackPlan,
    options: ReadyOptions,
): Promise<Readiness> {
    const served = await servedNames(head, plan, options);
    if ("kind" in served) return served;
    const { servedName } = plan.model;
    if (!served.names.includes(servedName)) {
        const names = served.names.join(", ");
        return { kind: "broken", why: `the API serves ${names}, not ${servedName}: a stranger?` };
    }
    return complete(head, plan, options);
}

async function servedNames(
    head: GroupNode,
    plan: StackPlan,
    options: ReadyOptions,
): Promise<{ readonly names: readonly string[] } | Readiness> {
    try {
        const answer = await headApi(
            head,
            plan.api,
            options.apiKey,
        )({
            path: "/v1/models",
            timeoutSeconds: lookTimeoutSeconds,
        });
        if (answer.status === 401) return { kind: "broken", why: "the API refuses its own key" };
        if (answer.status !== 200) {
            return { kind: "not-yet", why: `/v1/models answers ${String(answer.status)}` };
        }
        const models = JSON.parse(answer.body) as { data: { id: string }[] };
        return { names: models.data.map((model) => model.id) };
    } catch (error) {
        return { kind: "not-yet", why: errorText(error) };
    }
}

async function complete(
    head: GroupNode,
    plan: StackPlan,
    options: ReadyOptions,
): Promise<Readiness> {
    const timeoutSeconds = plan.launch.completionTimeoutSeconds;
    const started = Date.now();
    try {
        const answer = await headApi(
            head,
            plan.api,
            options.apiKey,
        )({
            path: "/v1/completions",
            body: { model: plan.model.servedName, prompt, max_tokens: 8, temperature: 0 },
            timeoutSeconds,
        });
        const seconds = (Date.now() - started) / 1000;
        if (answer.status !== 200) {
            const said = answer.body.slice(0, 300);
            return {
                kind: "broken",
                why: `a completion answers ${String(answer.status)}: ${said}`,
            };
        }
        return judge(answer.body, seconds);
    } catch (error) {
        const limit = String(timeoutSeconds);
        return { kind: "broken", why: `no completion within ${limit} s (${errorText(error)})` };
    }
}

/** A completion counts when the engine says that it made tokens. */
function judge(body: string, seconds: number): Readiness {
    const answer = JSON.parse(body) as { usage?: { completion_tokens?: number } };
    const tokens = answer.usage?.completion_tokens ?? 0;
    if (tokens < 1) return { kind: "broken", why: "a completion came back without a token" };
    return { kind: "serving", seconds };
}
