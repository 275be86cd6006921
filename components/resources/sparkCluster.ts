import type * as command from "@pulumi/command";
import * as docker from "@pulumi/docker";
import * as pulumi from "@pulumi/pulumi";

import {
    groupNames,
    type ImageContent,
    jitStamp,
    type LaunchResult,
    type NodePlan,
    type SmokeResult,
    type StackPlan,
} from "../plan";
import { declareArgumentCheck } from "./argumentCheck";
import { type ContainerSecrets, containerArgs } from "./containerArgs";
import { declareImageCheck } from "./imageCheck";
import { declareImagePull } from "./imagePull";
import { known } from "./known";
import { declarePrune } from "./prune";
import { declareNodes, type SparkNode } from "./sparkNode";
import { declareSmoke } from "./smoke";
import { keyVariable, step } from "./step";
import { declareWeights } from "./weights";

export interface SparkClusterArgs {
    readonly plan: StackPlan;
    /** Words for `ssh` before a node's destination. */
    readonly sshOptions: (node: NodePlan) => readonly string[];
    /** What runs right before a rank is created. */
    readonly clearing: {
        /** Stops this group's ranks on all nodes; once a run. */
        readonly stopAll: (groupId: string) => Promise<void>;
        /** The same, after a look at all nodes when nothing was stopped yet: a revival. */
        readonly reviveAll: (groupId: string) => Promise<void>;
        /** Removes what an interrupted run left of this group on the node. */
        readonly sweep: (node: NodePlan, groupId: string) => Promise<void>;
    };
    /** What happens to JIT caches around that stop; each part once a run. */
    readonly caches: {
        readonly check: (stamp: string) => Promise<void>;
        readonly place: (groupId: string, stamp: string) => Promise<void>;
    };
    readonly secrets: ContainerSecrets;
    /** What Docker is sent for a build, relative to the project; default: the image's own folder. */
    readonly buildContext?: string;
}

/**
 * One model on a group of machines.
 *
 * preflight (all nodes) -> pull (all, if there is one) -> NAS mount, if managed, and image (each) ->
 * image check (all), caches (each) -> argument check (all) -> weights (all, if the program brings them) ->
 * change-over (all of that done; the old ranks stop) -> ranks (each) -> launch -> smoke -> prune
 */
export class SparkCluster extends pulumi.ComponentResource {
    readonly groupId: pulumi.Output<string>;
    /** What the image of all ranks holds. */
    readonly imageContent: pulumi.Output<ImageContent>;
    /** What the ranks' compiled kernels depend on. */
    readonly jitStamp: pulumi.Output<string>;
    readonly launch: pulumi.Output<LaunchResult>;
    readonly smoke: pulumi.Output<SmokeResult>;

    constructor(name: string, args: SparkClusterArgs, opts?: pulumi.ComponentResourceOptions) {
        super("spark-vllm:index:Cluster", name, {}, opts);
        const { plan } = args;
        const self = { parent: this };
        const id = step(groupNames.groupId, "new-id", { input: {} }, self);
        this.groupId = id.stdout.apply((text) => (JSON.parse(text) as { id: string }).id);
        const preflight = step(
            groupNames.preflight,
            "preflight",
            { input: this.planInput(plan) },
            self,
        );
        const pulled = declareImagePull(args, preflight, self);
        const nodes = declareNodes(args, this.groupId, pulled, self);
        const imageCheck = declareImageCheck(plan, nodes, { ...self, dependsOn: [pulled] });
        this.imageContent = imageCheck.stdout.apply((text) => JSON.parse(text) as ImageContent);
        this.jitStamp = this.imageContent.apply((content) =>
            jitStamp(content, plan.jit.topology, plan.image.build?.digest ?? plan.image.tag),
        );
        const checked = declareArgumentCheck(plan, this.groupId, nodes, imageCheck, self);
        const ready = declareWeights(args, this.groupId, nodes, checked, self);
        const changeOver = this.declareChangeOver(args, ready);
        const ranks = this.declareRanks(args, nodes, changeOver);
        const triggers = pulumi
            .all(ranks.map((rank) => rank.id))
            .apply((containers) => [plan.group, ...containers]);
        const launch = this.declareLaunch(args, ranks, triggers);
        const after = (done: pulumi.Resource) => ({ ...self, dependsOn: [done] });
        const smoke = declareSmoke(plan, args.secrets, triggers, after(launch));
        declarePrune(plan, triggers, after(smoke));
        this.launch = launch.stdout.apply((text) => parseResult(text) as LaunchResult);
        this.smoke = smoke.stdout.apply((text) => parseResult(text) as SmokeResult);
        this.registerOutputs({ groupId: this.groupId, launch: this.launch, smoke: this.smoke });
    }

    /**
     * Nothing that serves is stopped until every node is checked, built and prepared; then all old ranks are
     * stopped at once, head first, before the engine removes them one by one.
     */
    private declareChangeOver(
        args: SparkClusterArgs,
        ready: pulumi.Resource,
    ): command.local.Command {
        const { plan } = args;
        const stop = new pulumi.ResourceHook("change-over-stop", async () => {
            await this.stopOld(args, "stopAll");
        });
        return step(
            groupNames.changeOver,
            "change-over",
            { input: this.planInput(plan), triggers: [plan.group] },
            {
                parent: this,
                // And so for all images and caches, which the argument check waits for.
                dependsOn: [ready],
                hooks: { beforeCreate: [stop] },
            },
        );
    }

    /** What every new rank waits for; returns the group's id. */
    private async stopOld(
        { clearing, caches }: SparkClusterArgs,
        how: "stopAll" | "reviveAll",
    ): Promise<string> {
        const [groupId, stamp] = await Promise.all([known(this.groupId), known(this.jitStamp)]);
        await caches.check(stamp);
        await clearing[how](groupId);
        await caches.place(groupId, stamp);
        return groupId;
    }

    private declareRanks(
        args: SparkClusterArgs,
        nodes: readonly SparkNode[],
        changeOver: pulumi.Resource,
    ): docker.Container[] {
        const { plan, clearing } = args;
        return nodes.map((owner) => {
            const { node } = owner;
            // A revival replaces the dead rank alone: its peers are stopped here.
            const clear = new pulumi.ResourceHook(`${node.names.rank}-clear`, async () => {
                await clearing.sweep(node, await this.stopOld(args, "reviveAll"));
            });
            return new docker.Container(
                node.names.rank,
                containerArgs(plan, node.rank, this.groupId, args.secrets),
                {
                    parent: owner,
                    provider: owner.docker,
                    dependsOn: [changeOver],
                    // Two ranks of one model do not fit in a Spark's memory together.
                    deleteBeforeReplace: true,
                    // A dead rank is replaced like a removed one, so that launch sees a new id.
                    replaceOnChanges: ["*"],
                    hooks: { beforeCreate: [clear] },
                },
            );
        });
    }

    /** What every step of the group reads; the gates are smoke's alone. */
    private planInput(plan: StackPlan): pulumi.Output<object> {
        // Without what no step reads, so that a change of it is none of the steps'.
        const { jit: _jit, housekeeping: _housekeeping, ...read } = plan;
        return this.groupId.apply((groupId) => ({ plan: { ...read, smoke: [] }, groupId }));
    }

    private declareLaunch(
        args: SparkClusterArgs,
        ranks: readonly docker.Container[],
        triggers: pulumi.Output<unknown[]>,
    ): command.local.Command {
        const { plan, secrets } = args;
        return step(
            groupNames.launch,
            "launch",
            {
                input: this.planInput(plan),
                triggers,
                ...keyVariable(secrets.apiKey),
            },
            { parent: this, dependsOn: [...ranks] },
        );
    }
}

/** The last line that a step prints is its result. */
function parseResult(stdout: string): unknown {
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}
