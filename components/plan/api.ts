import type { Cluster, Node } from "../cluster";
import type { StackPlan } from "./types";

/** The head's name as a caller would type it: the host of the ssh destination. */
function hostName(node: Node | undefined): string {
    return node?.destination.replace(/^.*@/, "") ?? "localhost";
}

/** Where the API listens, and the address to call; behind 127.0.0.1 that is the head itself or a tunnel to it. */
export function planApi({ api, hasApiKey }: Cluster, head: Node | undefined): StackPlan["api"] {
    const host = api.bind === "0.0.0.0" ? hostName(head) : api.bind;
    return {
        bind: api.bind,
        port: api.port,
        authenticated: hasApiKey,
        endpoint: `http://${host}:${String(api.port)}/v1`,
    };
}
