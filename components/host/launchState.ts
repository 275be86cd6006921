import type { Boot, LaunchResult } from "../plan";

/** A rank's container as its node shows it. Times are the node's own, RFC 3339. */
export interface ObservedRank {
    readonly id: string;
    readonly name: string;
    readonly rank: number;
    readonly group: string;
    /** Id of the image that it was made of. */
    readonly image: string;
    readonly running: boolean;
    readonly exitCode: number;
    readonly oomKilled: boolean;
    readonly startedAt: string;
    readonly finishedAt: string;
}

/** Which container ran since when, as part of one launch. */
export interface RecordedRank {
    readonly node: string;
    readonly id: string;
    readonly startedAt: string;
}

/** What a launch leaves on every node: the same `launch` on all nodes means one launch. */
export interface LaunchRecord {
    readonly launch: string;
    /** This node's time after all old ranks were stopped. */
    readonly stoppedAt: string;
    /** Filled in once all ranks run; null while the launch is being prepared. */
    readonly ranks: readonly RecordedRank[] | null;
    /** Filled in once the group served. */
    readonly result?: LaunchResult;
    /** Earlier starts that ended in service, newest first. */
    readonly boots?: readonly Boot[];
    /** Whether this node's JIT caches were empty before this launch. */
    readonly cold?: boolean;
}

export interface ObservedNode {
    readonly node: string;
    /** Node's time of the look. */
    readonly now: string;
    readonly record: LaunchRecord | null;
    /** This group's containers on the node. */
    readonly containers: readonly ObservedRank[];
}

/**
 * wait-on: the ranks are those of a finished start, all running as recorded: only wait for them.
 * complete: all ranks were (or still have to be) started after the last common stop: start what is missing.
 * restart: anything else. Ranks never rejoin (facts.md), so all are stopped and started together.
 */
export type LaunchDecision =
    | { readonly kind: "wait-on" }
    | { readonly kind: "complete" }
    | { readonly kind: "restart"; readonly reason: string };

/** Decides from what all nodes show; pure. */
export function decideLaunch(nodes: readonly ObservedNode[]): LaunchDecision {
    const launches = new Set(nodes.map((node) => node.record?.launch ?? "none"));
    if (launches.has("none") || launches.size !== 1) {
        return { kind: "restart", reason: "the ranks do not belong to one launch" };
    }
    const stray = nodes.find((node) => node.containers.length !== 1);
    if (stray !== undefined) {
        const count = String(stray.containers.length);
        return { kind: "restart", reason: `${stray.node} has ${count} ranks of this group` };
    }
    return nodes.some((node) => node.record?.ranks != null) ? asRecorded(nodes) : asMarked(nodes);
}

/** A finished start is waited on only while every rank still is what was started then. */
function asRecorded(nodes: readonly ObservedNode[]): LaunchDecision {
    for (const { node, record, containers } of nodes) {
        const [rank] = containers;
        const recorded = record?.ranks?.find((entry) => entry.node === node);
        if (rank === undefined || recorded === undefined) {
            return { kind: "restart", reason: `${node} has no complete record of the launch` };
        }
        if (!rank.running) {
            const code = String(rank.exitCode);
            return { kind: "restart", reason: `${rankOf(node, rank)} has exited with ${code}` };
        }
        if (rank.id !== recorded.id || rank.startedAt !== recorded.startedAt) {
            const reason = `${rankOf(node, rank)} was started apart from its group`;
            return { kind: "restart", reason };
        }
    }
    return { kind: "wait-on" };
}

/** After the common stop, every rank either started since or has not started yet. */
function asMarked(nodes: readonly ObservedNode[]): LaunchDecision {
    for (const { node, record, containers } of nodes) {
        const [rank] = containers;
        if (rank?.running !== true || record === null) continue;
        if (Date.parse(rank.startedAt) < Date.parse(record.stoppedAt)) {
            const reason = `${rankOf(node, rank)} runs since before the stop`;
            return { kind: "restart", reason };
        }
    }
    return { kind: "complete" };
}

/** Has this rank run, and ended, since the stop that its node's record tells of? */
export function exitedSinceStop(node: ObservedNode): ObservedRank | undefined {
    const { record } = node;
    if (record === null) return undefined;
    return node.containers.find(
        (rank) => !rank.running && Date.parse(rank.startedAt) >= Date.parse(record.stoppedAt),
    );
}

function rankOf(node: string, rank: ObservedRank): string {
    return `rank ${String(rank.rank)} on ${node}`;
}
