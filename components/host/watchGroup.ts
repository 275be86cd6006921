import { BootTracker } from "./bootTracker";
import type { GroupNode } from "./group";
import type { ObservedNode } from "./launchState";
import type { Progress } from "./progress";
import { type EndReason, firstCause, followed, type RankEnd } from "./rankEnd";
import { lookAtStall } from "./stallReport";
import { watchRank } from "./watchRank";

/**
 * Milliseconds from a rank's end to the verdict, in which the others may end as well: the one that ended first is
 * not always seen first. A rank that said a fatal line gets longer, to end by itself with its code; one that followed
 * another waits for that one, whose node may be slower to tell.
 */
const settle = { end: 800, fatalLine: 2000, follower: 2000, lowMemory: 0 } as const;

export interface GroupWatchOptions {
    readonly stallSeconds: number;
    readonly progress: Progress;
    /** Every line of every log is shown. */
    readonly verbose: boolean;
    /** Ends the watch. */
    readonly signal: AbortSignal;
}

/** Follows all ranks of a launch at once: their logs, their containers, the memory of their nodes. */
export class GroupWatch {
    readonly tracker: BootTracker;
    private readonly ends: RankEnd[] = [];
    private readonly running: Set<string>;
    private verdict: ((end: RankEnd) => void) | undefined;
    private verdictAt = Infinity;
    private verdictTimer: NodeJS.Timeout | undefined;

    constructor(
        private readonly nodes: readonly GroupNode[],
        private readonly started: readonly ObservedNode[],
        private readonly options: GroupWatchOptions,
    ) {
        const ranks = started.flatMap(({ node, containers }) =>
            containers.map(({ rank }) => ({ node, rank })),
        );
        this.tracker = new BootTracker(ranks, Date.now());
        this.running = new Set(ranks.map(({ node }) => node));
    }

    /** Begins to watch; resolves with the rank whose end ends the group, and never while all run. */
    firstEnd(): Promise<RankEnd> {
        const { signal } = this.options;
        const stall = setInterval(() => void this.lookForStall(), 1000);
        signal.addEventListener("abort", () => {
            clearInterval(stall);
            clearTimeout(this.verdictTimer);
        });
        for (const [index, node] of this.nodes.entries()) {
            for (const rank of this.started[index]?.containers ?? []) void this.follow(node, rank);
        }
        return new Promise((resolve) => {
            this.verdict = resolve;
        });
    }

    private async follow(node: GroupNode, rank: ObservedNode["containers"][number]) {
        const reason = await watchRank(node, rank, {
            signal: this.options.signal,
            onLine: (line) => {
                this.take(node.name, line);
            },
            onMemory: (kib) => {
                if (!this.tracker.memory(node.name, kib)) return;
                this.note(
                    node.name,
                    { kind: "low-memory", availableGib: kib / 2 ** 20 },
                    settle.lowMemory,
                );
            },
            onOom: () => {
                this.note(node.name, { kind: "oom-kill" }, settle.end);
            },
        });
        // Ended by us, or from outside: someone else has the answer.
        if (this.options.signal.aborted) return;
        this.running.delete(node.name);
        this.note(node.name, reason, this.running.size === 0 ? 0 : settle.end);
    }

    private take(node: string, line: string): void {
        const { progress, verbose, signal } = this.options;
        // Another outcome was faster; what comes late would stand below its message.
        if (signal.aborted) return;
        const { marker, fatal } = this.tracker.line(node, line, Date.now());
        if (verbose) progress.say(node, `| ${line}`);
        else if (marker !== undefined) {
            progress.tick(node, marker.text, marker.progress ? marker.stage : undefined);
        }
        if (fatal) this.note(node, { kind: "fatal-line", line }, settle.fatalLine);
    }

    /** A rank ended, or will: the verdict falls when the time for others is over. */
    private note(node: string, reason: EndReason, wait: number): void {
        const end = this.tracker.end(node, reason);
        // Its exit says more than the line before it.
        const before = this.ends.findIndex(
            (other) => other.node === node && other.reason.kind === "fatal-line",
        );
        if (before >= 0 && reason.kind === "fatal-line") return;
        if (before >= 0) this.ends.splice(before, 1, end);
        else this.ends.push(end);
        const patience = wait > 0 && followed(end) ? settle.follower : wait;
        const at = Date.now() + patience;
        if (at >= this.verdictAt) return;
        this.verdictAt = at;
        clearTimeout(this.verdictTimer);
        this.verdictTimer = setTimeout(() => {
            const cause = firstCause(this.ends);
            if (cause !== undefined) this.verdict?.(cause);
        }, patience);
    }

    private async lookForStall(): Promise<void> {
        const { progress, stallSeconds } = this.options;
        const seconds = this.tracker.stalled(stallSeconds, Date.now());
        if (seconds === undefined) return;
        progress.say("", `no news from any rank for ${String(seconds)} s; nothing is stopped`);
        const looks = await lookAtStall(this.nodes);
        const last = this.tracker.lastLines(Date.now());
        for (const [index, { name }] of this.nodes.entries()) {
            const line = last.find(({ node }) => node === name)?.line ?? "";
            progress.say(name, `${looks[index] ?? ""}; last line: ${line || "none"}`);
        }
    }
}
