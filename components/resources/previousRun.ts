import * as pulumi from "@pulumi/pulumi";

import type { Boot, JitRecord, RankSummary, SshPlan } from "../plan";

/** A machine that may still run ranks of this group. */
export interface Member {
    readonly name: string;
    readonly ssh: SshPlan;
}

/** Output of every run, the failed ones too. */
export interface LastRun {
    readonly members: readonly Member[];
}

/** Output of the last run whose launch succeeded. */
export interface LastServed extends LastRun {
    readonly ranks: readonly RankSummary[];
    readonly group?: string;
    /** Starts that served, the latest last. */
    readonly jit?: readonly JitRecord[];
}

/** What the last runs of this stack left in its outputs: the way to old values, in preview too. */
export interface PreviousRun {
    /** Ranks that last served; empty before the first launch. */
    readonly ranks: pulumi.Output<readonly RankSummary[]>;
    /** Digest of that group. */
    readonly group: pulumi.Output<string | undefined>;
    /** The last starts that ended in service, newest first. */
    readonly boots: pulumi.Output<readonly Boot[]>;
    /** Starts that served, the latest last: which JIT caches the nodes have. */
    readonly jit: pulumi.Output<readonly JitRecord[]>;
    /**
     * Nodes of the last run and of the last one that served, for a hook of this run. After a failed `up` they
     * differ, because a plain output shows the new plan and one that depends on the launch still the old
     * (facts.md).
     */
    readonly formerNodes: () => Promise<readonly Member[]>;
}

/**
 * Reads the stack's own outputs as they were before this run. To be awaited before any other resource is declared:
 * the engine reads the state's file for it, and each step of another resource writes that file, not at one stroke
 * ("failed to load checkpoint: EOF").
 */
export async function previousRun(stackName: string): Promise<PreviousRun> {
    const self = new pulumi.StackReference(stackName);
    await new Promise((read) => self.urn.apply(read));
    const lastRun = self.getOutput("lastRun") as pulumi.Output<LastRun | undefined>;
    const lastServed = self.getOutput("lastServed") as pulumi.Output<LastServed | undefined>;
    const members = pulumi
        .all([lastRun, lastServed])
        .apply((runs) => runs.flatMap((run) => run?.members ?? []));
    const ranks = lastServed.apply((run) => run?.ranks ?? []);
    const group = lastServed.apply((run) => run?.group);
    const known = self.getOutput("boots") as pulumi.Output<readonly Boot[] | undefined>;
    const boots = known.apply((all) => all ?? []);
    const jit = lastServed.apply((run) => run?.jit ?? []);
    // Outputs of another run are known in `up`, which is when hooks run.
    const formerNodes = () =>
        new Promise<readonly Member[]>((resolve) => {
            members.apply(resolve);
        });
    return { ranks, group, boots, jit, formerNodes };
}
