import type { StackPlan } from "../plan";
import type { GroupNode } from "./group";
import { type HttpAnswer, httpOverSsh } from "./ssh";

/** A request to the head's API; with a body it is a POST of JSON. */
export interface ApiRequest {
    readonly path: string;
    readonly body?: object;
    readonly timeoutSeconds: number;
    /** Each piece of the answer as it comes. */
    readonly onChunk?: (text: string) => void;
    readonly signal?: AbortSignal;
}

export type Api = (request: ApiRequest) => Promise<HttpAnswer>;

/** The head's API as its own node sees it: it works while the API is bound to loopback. */
export function headApi(
    head: GroupNode,
    { bind, port }: Pick<StackPlan["api"], "bind" | "port">,
    apiKey: string | undefined,
): Api {
    // An API bound to all addresses is asked on loopback.
    const host = bind === "0.0.0.0" ? "127.0.0.1" : bind;
    const headers = {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
    return ({ body, ...request }) =>
        httpOverSsh(
            head,
            { host, port },
            {
                method: body === undefined ? "GET" : "POST",
                headers,
                ...(body === undefined ? {} : { body: JSON.stringify(body) }),
                ...request,
            },
        );
}
