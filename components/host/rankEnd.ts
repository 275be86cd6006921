import { adviceOf, explain, isFatal, knownFault } from "./knownFaults";

/** Lines of a rank's log in a message. */
const shownLines = 30;

/** Why a rank no longer counts. Code 0 is no sign of a clean stop: a head whose worker died exits with it (facts.md). */
export type EndReason =
    | { readonly kind: "exited"; readonly exitCode: number; readonly oomKilled: boolean }
    /** The container runs, but not since this launch. */
    | { readonly kind: "restarted" }
    | { readonly kind: "removed" }
    /** The watch ended, not the rank. */
    | { readonly kind: "lost"; readonly why: string }
    /** It said what never ends well, and may still run. */
    | { readonly kind: "fatal-line"; readonly line: string }
    /** The kernel killed a process of it, and its first process may still run. */
    | { readonly kind: "oom-kill" }
    | { readonly kind: "low-memory"; readonly availableGib: number };

/** How a rank ended. */
export interface RankEnd {
    readonly node: string;
    readonly rank: number;
    readonly reason: EndReason;
    /** The last lines of its log, oldest first. */
    readonly lastLines: readonly string[];
    /** What to do, when the log says what it was. */
    readonly advice?: string;
}

/**
 * @param lines the log's end, more of it than is shown: a traceback hides its cause far above.
 * @param loading whether weights were being read.
 */
export function rankEnd(
    of: { readonly node: string; readonly rank: number },
    reason: EndReason,
    lines: readonly string[],
    loading: boolean,
): RankEnd {
    const fault = reason.kind === "fatal-line" ? knownFault(reason.line) : explain(lines);
    const killed = reason.kind === "oom-kill" || (reason.kind === "exited" && reason.oomKilled);
    const memory = killed || reason.kind === "low-memory" || isKilled(reason);
    const known = memory ? (knownFault("CUDA out of memory") ?? fault) : fault;
    return {
        ...of,
        reason,
        lastLines: lines.slice(-shownLines),
        ...(known === undefined ? {} : { advice: adviceOf(known, loading) }),
    };
}

/** SIGKILL that was not ours: the kernel does it when memory runs out. */
function isKilled(reason: EndReason): boolean {
    return reason.kind === "exited" && reason.exitCode === 137;
}

/**
 * Of several ranks that ended within a second or two, the one that took the others along: ranks follow a dead
 * peer with code 0 (facts.md), and a watch that broke says nothing of its rank.
 *
 * @param ends in the order in which they were seen; at least one.
 */
export function firstCause(ends: readonly RankEnd[]): RankEnd | undefined {
    return ends.toSorted((a, b) => weight(a) - weight(b))[0];
}

/** What a rank says when another one went away (NCCL, Gloo and vLLM's own executor). */
const peerLost = /closed by (remote )?peer|reset by peer|remote process exited/i;

/** Whether the rank ended as one does that has lost a peer: the cause is then to be seen on another node. */
export function followed({ reason, lastLines }: Pick<RankEnd, "reason" | "lastLines">): boolean {
    if (reason.kind !== "exited" || reason.oomKilled) return false;
    if (reason.exitCode === 0) return true;
    return !lastLines.some(saysFatal) && lastLines.some((line) => peerLost.test(line));
}

function weight(end: RankEnd): number {
    const { reason, lastLines } = end;
    switch (reason.kind) {
        case "low-memory":
        case "oom-kill":
        case "fatal-line":
            return 0;
        case "exited":
            if (reason.oomKilled) return 0;
            if (followed(end)) return 4;
            return lastLines.some(saysFatal) ? 1 : 2;
        case "restarted":
        case "removed":
            return 2;
        case "lost":
            return 3;
        default:
            return reason satisfies never;
    }
}

function saysFatal(line: string): boolean {
    const fault = knownFault(line);
    return fault !== undefined && isFatal(fault, false);
}
