import { randomBytes } from "node:crypto";

import type { GroupNode } from "./group";
import receiveScript from "./receive.sh";
import serveScript from "./serve.sh";
import { runScript } from "./ssh";
import { lastLine } from "./lastLine";

export interface StreamOptions {
    readonly sender: GroupNode;
    /** The sender's address on the fabric: it listens there and nowhere else. */
    readonly address: string;
    readonly receivers: readonly GroupNode[];
    /** Runs on the sender; what it prints is sent. */
    readonly send: readonly string[];
    /** Runs on each receiver, with what is sent as its stdin. */
    readonly receive: readonly string[];
    /** Names of members to leave out of a tar archive. */
    readonly leaveOut?: readonly string[];
    /** For the whole. */
    readonly timeoutSeconds: number;
    /** A receiver that takes nothing for this long is given up; default 60. */
    readonly stallSeconds?: number;
    /** Until all receivers have connected; default 30. */
    readonly joinSeconds?: number;
    /** Bytes handed to each receiver so far, about once a second. */
    readonly onSent?: (bytes: number) => void;
    readonly signal?: AbortSignal;
}

/** What became of one receiver. */
export interface Received {
    readonly node: string;
    /** Whether it reached the sender at all. */
    readonly joined: boolean;
    /** Absent: its command took everything and ended well. */
    readonly error?: string;
}

/**
 * Sends a command's output from one node to others over the fabric, read once for all of them; nothing passes through
 * this machine and nothing is stored. A one-time token keeps others out, and a receiver refuses what has another
 * sha256 than what was sent. Nothing listens or runs any more when this ends, however it ends.
 */
export async function sendStream(options: StreamOptions): Promise<readonly Received[]> {
    const token = randomBytes(32).toString("hex");
    const ends = new Map(options.receivers.map(({ name }) => [name, new AbortController()]));
    const joined = new Set<string>();
    const lost = new Map<string, string>();
    // A receiver whose sender is gone ends by itself, with a better reason; one that hangs does not.
    const giveUp = (names: Iterable<string>, why: string, graceSeconds = 5) => {
        for (const name of names) {
            if (!lost.has(name)) lost.set(name, why);
            setTimeout(() => ends.get(name)?.abort(new Error(why)), graceSeconds * 1000).unref();
        }
    };
    const receiving: Promise<Received>[] = [];
    const onLine = (line: string, stream: "stdout" | "stderr") => {
        if (stream === "stderr") return;
        const [word = "", first = "", ...rest] = line.split(" ");
        if (word === "sent") options.onSent?.(Number(first));
        if (word === "joined") joined.add(first);
        if (word === "lost") giveUp([first], rest.join(" "));
        if (word === "closed") {
            const missing = [...ends.keys()].filter((name) => !joined.has(name));
            giveUp(missing, `it did not reach ${options.address} in time`, 0);
        }
        if (word === "listening") {
            for (const node of options.receivers) {
                receiving.push(receive(node, first, token, options, ends.get(node.name)?.signal));
            }
        }
    };
    const failure = await serve(options, token, onLine);
    // The stream has ended for everybody; who still waits for more waits in vain.
    if (failure !== undefined) giveUp(ends.keys(), failure);
    const received = await Promise.all(receiving);
    options.signal?.throwIfAborted();
    return options.receivers.map(({ name }) => {
        const own = received.find(({ node }) => node === name);
        const error = own?.error ?? lost.get(name) ?? (own === undefined ? failure : undefined);
        return { node: name, joined: joined.has(name), ...(error === undefined ? {} : { error }) };
    });
}

/** Undefined when everything was sent to at least one receiver, else why not. */
async function serve(
    { sender, address, receivers, send, ...options }: StreamOptions,
    token: string,
    onLine: (line: string, stream: "stdout" | "stderr") => void,
): Promise<string | undefined> {
    const { joinSeconds = 30, stallSeconds = 60, leaveOut = [], timeoutSeconds } = options;
    const numbers = [receivers.length, joinSeconds, stallSeconds].map(String);
    const result = await runScript(sender, serveScript, {
        args: [address, ...numbers, ...send],
        input: [token, ...leaveOut, ""].join("\n"),
        timeoutSeconds,
        onLine,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
    }).catch((error: unknown) => ({ code: 1, stderr: textOf(error) }));
    if (result.code === 0) return undefined;
    return `${sender.name}: ${lastLine(result.stderr) || "the sending ended early"}`;
}

async function receive(
    node: GroupNode,
    port: string,
    token: string,
    options: StreamOptions,
    signal?: AbortSignal,
): Promise<Received> {
    const result = await runScript(node, receiveScript, {
        args: [options.address, port, node.name, ...options.receive],
        input: `${token}\n`,
        timeoutSeconds: options.timeoutSeconds,
        ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => ({ code: 1, stderr: textOf(error) }));
    const said = lastLine(result.stderr) || `code ${String(result.code)}`;
    return { node: node.name, joined: true, ...(result.code === 0 ? {} : { error: said }) };
}

function textOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}
