import { isFatal, knownFault } from "./knownFaults";
import { type Marker, parseMarker } from "./markers";
import { type EndReason, type RankEnd, rankEnd } from "./rankEnd";

/** Lines kept of each rank: a traceback hides its cause far above the last ones. */
const keptLines = 200;
/** Below it the kernel soon kills something, on unified memory not only the engine. */
const floorKib = 4 * 2 ** 20;
/** Kinds of lines remembered, to tell news from repetition. */
const keptShapes = 50;

export interface RankKey {
    readonly node: string;
    readonly rank: number;
}

/** What the engine said of its size, and the node of its memory. */
export interface RankFigures extends RankKey {
    readonly weightsGib: number | null;
    /** Lowest memory available on the node while weights loaded. */
    readonly lowestAvailableGib: number | null;
}

interface RankBoot {
    readonly key: RankKey;
    readonly lines: string[];
    readonly shapes: Set<string>;
    loading: boolean;
    weightsGib: number | null;
    lowestKib: number | undefined;
    lastLineAt: number;
    /** Stage of the progress bar whose state is the last line. */
    bar: Marker["stage"] | undefined;
}

export interface LineNews {
    readonly marker?: Marker;
    /** The rank said what never ends well. */
    readonly fatal?: true;
}

/** What all ranks said so far, and what follows from it. Times are milliseconds, given by the caller. */
export class BootTracker {
    kvCacheTokens: number | null = null;
    private readonly ranks = new Map<string, RankBoot>();
    private signAt: number;
    private reportedAt: number;

    constructor(ranks: readonly RankKey[], now: number) {
        this.signAt = this.reportedAt = now;
        for (const key of ranks) {
            this.ranks.set(key.node, {
                key,
                lines: [],
                shapes: new Set(),
                loading: true,
                weightsGib: null,
                lowestKib: undefined,
                lastLineAt: now,
                bar: undefined,
            });
        }
    }

    /** Takes in a line of a rank's log. */
    line(node: string, text: string, now: number): LineNews {
        const boot = this.of(node);
        const marker = parseMarker(text);
        // Of a progress bar only its last state is kept, or it would be all that a message shows.
        const bar = marker?.progress === true ? marker.stage : undefined;
        if (bar !== undefined && bar === boot.bar) boot.lines.pop();
        boot.bar = bar;
        boot.lines.push(text);
        if (boot.lines.length > keptLines) boot.lines.shift();
        boot.lastLineAt = now;
        // The worker's last marker differs from the head's; whatever comes after the weights ends their loading.
        if (marker !== undefined && !["plugin", "weights"].includes(marker.stage))
            boot.loading = false;
        if (marker?.stage === "model") boot.weightsGib = marker.figure ?? null;
        if (marker?.stage === "kv-cache") this.kvCacheTokens ??= marker.figure ?? null;
        if (isNew(boot, text, marker)) this.signAt = now;
        const fault = knownFault(text);
        return {
            ...(marker === undefined ? {} : { marker }),
            ...(fault !== undefined && isFatal(fault, boot.loading) ? { fatal: true } : {}),
        };
    }

    /** Takes in a node's available memory; true when the group must stop before the kernel kills. */
    memory(node: string, kib: number): boolean {
        const boot = this.of(node);
        if (!boot.loading || !(kib > 0)) return false;
        boot.lowestKib = Math.min(boot.lowestKib ?? kib, kib);
        return kib < floorKib;
    }

    /** Seconds without news from any rank, once each time another `stallSeconds` of silence have passed. */
    stalled(stallSeconds: number, now: number): number | undefined {
        const since = Math.max(this.signAt, this.reportedAt);
        if (now - since < stallSeconds * 1000) return undefined;
        this.reportedAt = now;
        return Math.round((now - this.signAt) / 1000);
    }

    /** The end of a rank, with what its log tells of it. */
    end(node: string, reason: EndReason): RankEnd {
        const { key, lines, loading } = this.of(node);
        return rankEnd(key, reason, lines, loading);
    }

    /** The last line of each rank's log, and the seconds since. */
    lastLines(now: number): readonly (RankKey & { line: string; seconds: number })[] {
        return [...this.ranks.values()].map(({ key, lines, lastLineAt }) => ({
            ...key,
            line: lines.at(-1) ?? "",
            seconds: Math.round((now - lastLineAt) / 1000),
        }));
    }

    figures(): readonly RankFigures[] {
        return [...this.ranks.values()].map(({ key, weightsGib, lowestKib }) => ({
            ...key,
            weightsGib,
            lowestAvailableGib:
                lowestKib === undefined ? null : Math.round(lowestKib / 2 ** 16) / 2 ** 4,
        }));
    }

    private of(node: string): RankBoot {
        const boot = this.ranks.get(node);
        if (boot === undefined) throw new Error(`no rank is watched on ${node}`);
        return boot;
    }
}

/** A line that only repeats an earlier one with other numbers is no sign of progress, unless it counts something. */
function isNew({ shapes }: RankBoot, text: string, marker: Marker | undefined): boolean {
    const shape = marker === undefined ? text.replace(/[\d:.]+/g, "#") : marker.text;
    if (shapes.has(shape)) return false;
    shapes.add(shape);
    const [oldest = ""] = shapes;
    if (shapes.size > keptShapes) shapes.delete(oldest);
    return true;
}
