import { errorText } from "./errorText";
import type { GroupNode } from "./group";
import type { ObservedRank } from "./launchState";
import type { EndReason } from "./rankEnd";
import { runScript } from "./ssh";
import watchScript from "./watch.sh";

export interface WatchOptions {
    readonly signal: AbortSignal;
    /** Every line of the log. */
    readonly onLine: (line: string) => void;
    /** KiB of memory available on the node, each second. */
    readonly onMemory: (kib: number) => void;
    /** The kernel killed a process of the container for memory. */
    readonly onOom: () => void;
}

/** What watch.sh says last. */
interface State {
    readonly removed?: true;
    readonly silent?: true;
    readonly running?: boolean;
    readonly exitCode?: number;
    readonly oomKilled?: boolean;
}

/** Follows a rank until its container ends; never resolves before that, unless the signal says so. */
export async function watchRank(
    node: GroupNode,
    rank: Pick<ObservedRank, "id" | "startedAt">,
    options: WatchOptions,
): Promise<EndReason> {
    let state: State | undefined;
    // With its last word the script ends by itself, unless it follows the log of a rank that was started anew.
    const over = new AbortController();
    const onLine = (line: string) => {
        // Progress bars begin their lines with a carriage return.
        const text = line.slice(1).replaceAll("\r", "");
        if (line.startsWith("L")) options.onLine(text);
        else if (line.startsWith("M")) options.onMemory(Number(text));
        else if (line === "O") options.onOom();
        else if (line.startsWith("X{")) {
            state = JSON.parse(text) as State;
            setTimeout(() => {
                over.abort(new Error("the rank has ended"));
            }, 1000).unref();
        }
    };
    try {
        const { code, stderr } = await runScript(node, watchScript, {
            args: [rank.id, rank.startedAt],
            signal: AbortSignal.any([options.signal, over.signal]),
            onLine: (line, stream) => {
                if (stream === "stdout") onLine(line);
            },
        });
        if (state !== undefined) return reasonOf(state);
        return { kind: "lost", why: `the connection ended (${String(code)}) ${stderr.trim()}` };
    } catch (error) {
        if (state !== undefined) return reasonOf(state);
        return { kind: "lost", why: errorText(error) };
    }
}

function reasonOf(state: State): EndReason {
    if (state.removed === true) return { kind: "removed" };
    if (state.silent === true) return { kind: "lost", why: "dockerd no longer answers" };
    if (state.running === true) return { kind: "restarted" };
    return {
        kind: "exited",
        exitCode: state.exitCode ?? 0,
        oomKilled: state.oomKilled ?? false,
    };
}
