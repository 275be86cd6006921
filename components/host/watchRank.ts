import type { GroupNode } from "./group";
import type { ObservedRank } from "./launchState";
import { type Marker, parseMarker } from "./markers";
import { runScript } from "./ssh";
import watchScript from "./watch.sh";

/** Lines of a rank's log kept for the message when it ends. */
const tailLines = 30;

/** How a rank ended. Code 0 is no sign of a clean stop: a head whose worker died exits with it (facts.md). */
export interface RankExit {
    readonly node: string;
    readonly rank: number;
    /** null: the container is gone, or the node no longer answers. */
    readonly exitCode: number | null;
    readonly oomKilled: boolean;
    /** What ended the watch when it was not the rank. */
    readonly lost?: string;
    /** The last lines of its log, oldest first. */
    readonly lastLines: readonly string[];
}

export interface WatchOptions {
    readonly signal: AbortSignal;
    readonly onMarker: (marker: Marker) => void;
    /** Every line of the log. */
    readonly onLine: (line: string) => void;
}

/** Follows a rank's log until its container ends; never resolves before that, unless the signal says so. */
export async function watchRank(
    node: GroupNode,
    rank: ObservedRank,
    options: WatchOptions,
): Promise<RankExit> {
    const lastLines: string[] = [];
    let state: { exitCode?: number; oomKilled?: boolean } | undefined;
    const onLine = (line: string) => {
        if (line.startsWith("X{")) {
            state = JSON.parse(line.slice(1)) as { exitCode?: number; oomKilled?: boolean };
            return;
        }
        const text = line.slice(1);
        keepLast(lastLines, text);
        options.onLine(text);
        const marker = parseMarker(text);
        if (marker !== undefined) options.onMarker(marker);
    };
    const end = (lost: string | undefined): RankExit => ({
        node: node.name,
        rank: rank.rank,
        exitCode: state?.exitCode ?? null,
        oomKilled: state?.oomKilled ?? false,
        ...(lost === undefined ? {} : { lost }),
        lastLines,
    });
    try {
        const { code, stderr } = await runScript(node, watchScript, {
            args: [rank.id, rank.startedAt],
            signal: options.signal,
            onLine: (line, stream) => {
                if (stream === "stdout") onLine(line);
            },
        });
        if (state !== undefined) return end(undefined);
        return end(`the connection ended (${String(code)}) ${stderr.trim()}`);
    } catch (error) {
        return end(error instanceof Error ? error.message : String(error));
    }
}

function keepLast(lines: string[], line: string): void {
    lines.push(line);
    if (lines.length > tailLines) lines.shift();
}
