import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";

import { sshArguments, type SshNode } from "./sshArguments";
import { connect, dropConnection } from "./sshConnect";
import { classify } from "./sshClassify";
import { connectError, NodeError, pastLimit } from "./sshFailure";
import { type Frame, frame } from "./sshFrame";
import { FramedStream } from "./sshStream";
import { supervise } from "./sshSupervise";

export interface ScriptOptions {
    /** The script's limit on the node; undefined: as long as it takes and the client lives. */
    readonly timeoutSeconds?: number;
    /** The script's positional parameters. */
    readonly args?: readonly string[];
    /** The script's stdin; else it is empty. */
    readonly input?: string;
    /** Every line as it comes; then only the last characters of both streams are in the result. */
    readonly onLine?: (line: string, stream: "stdout" | "stderr") => void;
    /** Ends the script, here and on the node. */
    readonly signal?: AbortSignal;
    /** Called once while connecting, when the node does not answer yet. */
    readonly onRetry?: (why: string) => void;
}

export interface ScriptResult {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
}

/** Characters kept of a stream that is handed on line by line. */
const keptOfLines = 65_536;

interface Streams {
    readonly stdout: FramedStream;
    readonly stderr: FramedStream;
}

/**
 * Runs a script of POSIX sh on a node, over stdin, as the login user.
 *
 * Resolves with the script's own exit code. Nothing of the script outlives this call, this process or the
 * connection, except what makes a session of its own. Throws NodeError with one issue when the node cannot be
 * reached, its login shell does not run the script, the connection is lost or the limit is passed; the
 * signal's reason when aborted.
 */
export async function runScript(
    node: SshNode,
    script: string,
    options: ScriptOptions = {},
): Promise<ScriptResult> {
    await connect(node, options);
    const framed = frame(script, options, randomBytes(8).toString("hex"));
    try {
        return await runFramed(node, framed, options);
    } catch (error) {
        // Closed before the script began: the shared connection was dead. A new one, once.
        if (!(error instanceof NodeError) || error.kind !== "closed") throw error;
        await dropConnection(node);
        await connect(node, options);
        return runFramed(node, framed, options);
    }
}

function runFramed(node: SshNode, framed: Frame, options: ScriptOptions): Promise<ScriptResult> {
    options.signal?.throwIfAborted();
    const child = spawn("ssh", [...sshArguments(node.ssh), node.ssh.destination, framed.command]);
    const keep = options.onLine === undefined ? Infinity : keptOfLines;
    const listen = (stream: "stdout" | "stderr") => {
        const framedStream = new FramedStream(framed, keep, (line) =>
            options.onLine?.(line, stream),
        );
        child[stream].on("data", (chunk: Buffer) => {
            framedStream.push(chunk);
        });
        return framedStream;
    };
    const streams = { stdout: listen("stdout"), stderr: listen("stderr") };
    const watch = supervise(child, node, options, () => streams.stdout.started);
    child.stdin.write(framed.stdin);
    return new Promise<ScriptResult>((resolve, reject) => {
        child.once("error", (error) => {
            reject(connectError(node, "no-ssh", error.message));
        });
        child.once("close", (code) => {
            streams.stdout.finish();
            streams.stderr.finish();
            const failure = watch.reason() ?? failureOf(node, code, streams, options);
            if (failure !== undefined) reject(failure);
            else resolve(resultOf(streams));
        });
    }).finally(watch.stop);
}

function resultOf({ stdout, stderr }: Streams): ScriptResult {
    return { code: Number(stderr.result), stdout: stdout.text, stderr: stderr.text };
}

/** What went wrong, unless the script ended by itself. */
function failureOf(
    node: SshNode,
    code: number | null,
    { stdout, stderr }: Streams,
    options: ScriptOptions,
): Error | undefined {
    if (stderr.result === "limit") return pastLimit(node, options.timeoutSeconds ?? 0);
    if (/^\d+$/.test(stderr.result ?? "")) return undefined;
    if (stdout.started) return connectError(node, "lost", stderr.text);
    if (code === 255) return connectError(node, classify(stderr.before), stderr.before);
    return connectError(node, "login-shell", `${stderr.before}\n${stdout.before}`);
}
