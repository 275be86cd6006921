import type { MountPlan, StackPlan } from "./types";

/** What of a rank a reader of a change wants to see; kept as a stack output, free of secrets. */
export interface RankSummary {
    readonly node: string;
    readonly rank: number;
    readonly image: string;
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Whether the API asks for a key; the head's matter. */
    readonly apiKey?: boolean;
    /** `host -> container`, ` (read-only)` behind it. */
    readonly mounts: readonly string[];
}

/** The group's ranks in short. */
export function summariseRanks(plan: StackPlan): readonly RankSummary[] {
    return plan.nodes.map(({ name, rank }) => ({
        node: name,
        rank: rank.rank,
        image: plan.image.tag,
        command: rank.command,
        env: rank.env,
        ...(rank.role === "head" ? { apiKey: plan.api.authenticated } : {}),
        mounts: rank.mounts.map(describeMount),
    }));
}

function describeMount({ hostPath, containerPath, readOnly }: MountPlan): string {
    return `${hostPath} -> ${containerPath}${readOnly ? " (read-only)" : ""}`;
}
