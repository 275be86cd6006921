import * as pulumi from "@pulumi/pulumi";

import { addJitRecord, type StackPlan, summariseRanks } from "../plan";
import type { LastRun, LastServed, PreviousRun } from "./previousRun";
import type { SparkCluster } from "./sparkCluster";

/**
 * The stack's outputs. Those that depend on the launch keep their old value when a launch fails, so they always
 * tell what last served; the plain ones show the plan of the last run (facts.md).
 */
export function outputsOf(plan: StackPlan, spark: SparkCluster, previous: PreviousRun) {
    const served = <T>(value: T): pulumi.Output<T> =>
        pulumi.all([spark.launch, pulumi.output(value)]).apply(() => value);
    const members = plan.nodes.map(({ name, ssh }) => ({ name, ssh }));
    const nodes = plan.nodes.map(({ name, rank, fabric }) => ({
        name,
        rank: rank.rank,
        container: rank.containerName,
        image: plan.image.tag,
        ...(fabric === undefined ? {} : { fabric }),
    }));
    return {
        endpoint: plan.api.endpoint,
        model: plan.model.servedName,
        modelRevision: plan.model.revision ?? "not pinned",
        recipe: plan.recipe,
        imageContent: plan.image.build?.digest ?? plan.image.tag,
        imageManifest: spark.imageContent.apply(({ digest, packages }) => ({ digest, packages })),
        group: served(plan.group),
        nodes: served(nodes),
        bootSeconds: spark.launch.apply((launch) => launch.bootSeconds),
        kvCacheTokens: spark.launch.apply((launch) => launch.kvCacheTokens),
        weightsGib: spark.launch.apply(({ ranks }) =>
            Object.fromEntries(ranks.map(({ node, weightsGib }) => [node, weightsGib])),
        ),
        boots: spark.launch.apply((launch) => launch.boots),
        warnings: spark.launch.apply((launch) => launch.warnings),
        smoke: spark.smoke.apply(({ gates }) => gates),
        // For the next run (previousRun.ts). Secret only to keep the engine's display short.
        lastRun: pulumi.secret({ members } satisfies LastRun),
        lastServed: pulumi.secret(lastServedOf(plan, spark, previous)),
    };
}

/** Depends on the launch, so that it tells what served before when a launch fails. */
function lastServedOf(
    plan: StackPlan,
    spark: SparkCluster,
    previous: PreviousRun,
): pulumi.Output<LastServed> {
    const { topology } = plan.jit;
    return pulumi.all([spark.launch, previous.jit, spark.jitStamp]).apply(([, records, stamp]) => ({
        members: plan.nodes.map(({ name, ssh }) => ({ name, ssh })),
        ranks: summariseRanks(plan),
        group: plan.group,
        jit: addJitRecord(records, { image: plan.image.tag, topology, stamp }),
    }));
}
