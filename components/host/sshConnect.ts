import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { sshArguments, type SshNode } from "./sshArguments";
import { classify, type ConnectFailure, mayPass } from "./sshClassify";
import { connectError } from "./sshFailure";
import { ensureKnownHosts } from "./sshKnownHosts";

export interface ConnectOptions {
    /** Seconds in which a node that does not answer yet is tried again; default 30. */
    readonly patienceSeconds?: number;
    /** Called once, before the first new try. */
    readonly onRetry?: (why: string) => void;
    readonly signal?: AbortSignal;
}

/** A connection that nothing uses ends by itself after this many seconds. */
const persistSeconds = 60;
/** One try, host key and login included; ssh's own limit of 10 s covers only the first part. */
const attemptSeconds = 20;
/** A connection proved this short a time ago is taken for alive. */
const freshMilliseconds = 20_000;

const proved = new Map<string, number>();
const running = new Map<string, Promise<void>>();

/**
 * Makes sure that the node's shared connection is up; tries again only while the node may be starting.
 *
 * Throws NodeError with one issue (unreachable, host-key). The connection has no stdio of ours and closes
 * itself when idle, so a step may end without closing it.
 */
export async function connect(node: SshNode, options: ConnectOptions = {}): Promise<void> {
    const key = JSON.stringify(node.ssh);
    if (Date.now() - (proved.get(key) ?? -Infinity) < freshMilliseconds) return;
    const already = running.get(key);
    if (already !== undefined) return already;
    const attempt = connectPatiently(node, options).finally(() => running.delete(key));
    running.set(key, attempt);
    await attempt;
    proved.set(key, Date.now());
}

/** The shared connection does not work any more: it takes no new users, and the next step makes another. */
export async function dropConnection(node: SshNode): Promise<void> {
    proved.delete(JSON.stringify(node.ssh));
    // `stop`, not `exit`: others may still be served by it.
    await ssh([...sshArguments(node.ssh), "-O", "stop", node.ssh.destination], 5);
}

async function connectPatiently(node: SshNode, options: ConnectOptions): Promise<void> {
    ensureKnownHosts([node.ssh]);
    const until = Date.now() + (options.patienceSeconds ?? 30) * 1000;
    for (let tries = 1; ; tries += 1) {
        options.signal?.throwIfAborted();
        const started = Date.now();
        const { code, said } = await attempt(node, options.signal);
        if (code !== 255 && code !== null) return;
        const kind = code === null ? "timed-out" : classify(said);
        // A shared connection whose far end is gone (the node rebooted) hangs or breaks: make a new one.
        if (tries === 1 && (code === null || kind === "closed")) await dropConnection(node);
        if (!mayPass(kind) || Date.now() >= until) throw await explain(node, kind, said);
        if (tries === 1) options.onRetry?.(connectError(node, kind, said).message);
        await pause(Math.max(0, started + 1000 - Date.now()));
    }
}

/** Runs `exit` on the node: starts the shared connection, or goes through it and so proves that it works. */
function attempt(node: SshNode, signal?: AbortSignal): Promise<Spoken> {
    const words = [
        "-n",
        "-o",
        "ControlMaster=auto",
        "-o",
        `ControlPersist=${String(persistSeconds)}`,
    ];
    const { destination } = node.ssh;
    return ssh(
        [...words, ...sshArguments(node.ssh), destination, "exit 0"],
        attemptSeconds,
        signal,
    );
}

/** ssh names a changed key's fingerprint, but an unknown key's only when asked for details. */
async function explain(node: SshNode, kind: ConnectFailure, said: string) {
    if (kind !== "host-key-unknown" && kind !== "host-key-changed") {
        return connectError(node, kind, said);
    }
    const words = ["-n", "-o", "LogLevel=DEBUG1", ...sshArguments(node.ssh)];
    const { said: details } = await ssh([...words, node.ssh.destination, "exit 0"], attemptSeconds);
    const offered = /Server host key: \S+ (SHA256:\S+)/.exec(details)?.[1] ?? "";
    return connectError(node, kind, `${offered}\n${said}`);
}

interface Spoken {
    /** null: ended by its time limit. */
    readonly code: number | null;
    readonly said: string;
}

/**
 * Runs ssh with stderr in an unnamed file: a shared connection that stays behind would keep a pipe open, and
 * Node would wait for its end.
 */
async function ssh(
    words: readonly string[],
    limitSeconds: number,
    signal?: AbortSignal,
): Promise<Spoken> {
    const file = unnamedFile();
    try {
        const child = spawn("ssh", words, { stdio: ["ignore", "ignore", file] });
        const abort = () => child.kill("SIGKILL");
        const timer = setTimeout(abort, limitSeconds * 1000);
        signal?.addEventListener("abort", abort);
        const code = await new Promise<number | null>((resolve, reject) => {
            child.once("error", reject);
            child.once("exit", resolve);
        }).finally(() => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", abort);
        });
        return { code, said: fromStart(file) };
    } catch (error) {
        return { code: 255, said: `cannot run ssh: ${String(error)}` };
    } finally {
        fs.closeSync(file);
    }
}

/** The child moved the shared position to the end. */
function fromStart(file: number): string {
    const bytes = Buffer.alloc(fs.fstatSync(file).size);
    fs.readSync(file, bytes, 0, bytes.length, 0);
    return bytes.toString();
}

function unnamedFile(): number {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "spark-ssh-"));
    try {
        return fs.openSync(path.join(folder, "stderr"), "wx+", 0o600);
    } finally {
        fs.rmSync(folder, { recursive: true });
    }
}
