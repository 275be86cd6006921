import type { ChildProcessWithoutNullStreams } from "node:child_process";

import type { SshNode } from "./sshArguments";
import { pastLimit, connectError } from "./sshFailure";

/** A login shell that asks something or hangs never runs our command. */
const startSeconds = 20;
/** What the node may take to end a script at its limit, beyond the limit. */
const graceSeconds = 15;
/** What ssh may take to end after its stdin was closed, when the node clears up. */
const endSeconds = 6;
/** guard.sh takes two minutes without one for a dead client. */
const heartbeatSeconds = 15;

export interface Supervision {
    /** Why the child was ended, if it was. */
    readonly reason: () => Error | undefined;
    readonly stop: () => void;
}

/** Watches over one run of ssh: heartbeats, the limits on this side, the abort signal. */
export function supervise(
    child: ChildProcessWithoutNullStreams,
    node: SshNode,
    options: { readonly timeoutSeconds?: number; readonly signal?: AbortSignal },
    hasStarted: () => boolean,
): Supervision {
    let reason: Error | undefined;
    const timers: NodeJS.Timeout[] = [];
    const after = (seconds: number, action: () => void) => {
        timers.push(setTimeout(action, seconds * 1000));
    };
    const end = (why: Error) => {
        if (reason !== undefined) return;
        reason = why;
        // The node sees the end of stdin and clears up; then ssh ends.
        child.stdin.end();
        after(endSeconds, () => child.kill("SIGKILL"));
    };
    const abort = () => {
        end(options.signal?.reason as Error);
    };
    after(startSeconds, () => {
        if (!hasStarted()) end(connectError(node, "login-shell", "nothing in 20 s"));
    });
    const { timeoutSeconds = Infinity, signal } = options;
    if (timeoutSeconds < Infinity) {
        after(timeoutSeconds + graceSeconds, () => {
            end(pastLimit(node, timeoutSeconds));
        });
    }
    timers.push(setInterval(() => child.stdin.write("."), heartbeatSeconds * 1000));
    signal?.addEventListener("abort", abort);
    // EPIPE of a node that went away says less than ssh's exit code.
    child.stdin.on("error", () => undefined);
    return {
        reason: () => reason,
        stop: () => {
            timers.forEach(clearTimeout);
            signal?.removeEventListener("abort", abort);
        },
    };
}
