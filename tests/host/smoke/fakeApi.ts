import type { Api, ApiRequest } from "../../../components/host/headApi";
import type { GateContext } from "../../../components/host/smoke/gate";

export interface Reply {
    readonly status?: number;
    readonly body: object | string;
}

/** Answers by path, in the order of the requests to it; the last one stays. Requests are kept. */
export function fakeApi(replies: Readonly<Record<string, readonly Reply[]>>) {
    const requests: ApiRequest[] = [];
    const api: Api = (request) => {
        const earlier = requests.filter(({ path }) => path === request.path).length;
        requests.push(request);
        const list = replies[request.path] ?? [{ status: 404, body: { detail: "Not Found" } }];
        const { status = 200, body } = list[Math.min(earlier, list.length - 1)] ?? { body: "" };
        const text = typeof body === "string" ? body : JSON.stringify(body);
        request.onChunk?.(text);
        return Promise.resolve({ status, body: text });
    };
    return { api, requests };
}

export function contextOf(api: Api, more: Partial<GateContext> = {}): GateContext {
    return {
        api,
        model: "m",
        timeoutSeconds: 5,
        longTimeoutSeconds: 50,
        chat: true,
        modelLength: Infinity,
        gates: [],
        nodes: [],
        ...more,
    };
}

/** An answer to a chat. */
export const said = (message: object, prompt = 10, tokens = 5): Reply => ({
    body: { choices: [{ message }], usage: { prompt_tokens: prompt, completion_tokens: tokens } },
});

/** An answer to a completion. */
export const completed = (text: string, prompt = 10, tokens = 5): Reply => ({
    body: { choices: [{ text }], usage: { prompt_tokens: prompt, completion_tokens: tokens } },
});

/** A stream of these events. */
export const streamed = (...events: readonly (object | string)[]): Reply => ({
    body: events
        .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
        .join(""),
});
