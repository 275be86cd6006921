import type { Duplex } from "node:stream";

import type { SshNode } from "./sshArguments";
import { connect } from "./sshConnect";
import { sshTunnel, type TunnelTarget } from "./sshTunnel";

export interface HttpRequest {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** From the first byte sent to the last one received. */
    readonly timeoutSeconds: number;
    /** Each piece of the body as it comes. */
    readonly onChunk?: (text: string) => void;
    readonly signal?: AbortSignal;
}

export interface HttpAnswer {
    readonly status: number;
    readonly body: string;
}

/**
 * One HTTP request to an address as seen from the node: works while the API is bound to the node's loopback.
 * Throws NodeError when the node cannot be reached, an Error with one line when the address does not answer.
 */
export async function httpOverSsh(
    node: SshNode,
    target: TunnelTarget,
    request: HttpRequest,
): Promise<HttpAnswer> {
    await connect(node, request);
    const tunnel = sshTunnel(node, target);
    try {
        return await exchange(tunnel, target, request);
    } finally {
        tunnel.destroy();
    }
}

async function exchange(
    tunnel: Duplex,
    target: TunnelTarget,
    { method, path, headers, body, timeoutSeconds, onChunk, signal }: HttpRequest,
): Promise<HttpAnswer> {
    const http = await import("node:http");
    const limit = AbortSignal.timeout(timeoutSeconds * 1000);
    const ends = AbortSignal.any(signal === undefined ? [limit] : [limit, signal]);
    const answer = new Promise<HttpAnswer>((resolve, reject) => {
        const sent = http.request({
            method,
            path,
            headers: {
                host: `${target.host}:${String(target.port)}`,
                connection: "close",
                ...headers,
            },
            createConnection: () => tunnel,
            signal: ends,
        });
        sent.once("error", reject);
        sent.once("response", (response) => {
            let text = "";
            response.setEncoding("utf8");
            response.on("data", (chunk: string) => {
                text += chunk;
                onChunk?.(chunk);
            });
            response.once("error", reject);
            response.once("end", () => {
                resolve({ status: response.statusCode ?? 0, body: text });
            });
        });
        sent.end(body);
    });
    return answer.catch((error: unknown) => {
        if (!limit.aborted) throw error;
        throw new Error(`no whole answer within ${String(timeoutSeconds)} s`);
    });
}
