import type * as command from "@pulumi/command";
import * as docker from "@pulumi/docker";
import * as pulumi from "@pulumi/pulumi";

import type { NodePlan, StackPlan } from "../plan";
import { type ContainerSecrets, containerArgs } from "./containerArgs";
import { SparkNode } from "./sparkNode";
import { step } from "./step";

export interface SparkClusterArgs {
    readonly plan: StackPlan;
    /** Words for `ssh` before a node's destination. */
    readonly sshOptions: (node: NodePlan) => readonly string[];
    /**
     * Runs once a run, before the first rank is created: stops this group's ranks on all nodes.
     * Then once a rank: removes what an interrupted run left of this group on that node.
     */
    readonly clearTheWay: (node: NodePlan, groupId: string) => Promise<void>;
    readonly secrets: ContainerSecrets;
}

/** What a launch tells when the group serves. */
export interface LaunchResult {
    readonly bootSeconds: number;
    readonly kvCacheTokens: number | null;
    readonly ranks: readonly { readonly node: string; readonly container: string }[];
}

/**
 * One model on a group of machines.
 *
 * preflight (all nodes) -> image (each) -> caches (each) -> ranks (each, once all of that is done) -> launch
 */
export class SparkCluster extends pulumi.ComponentResource {
    readonly groupId: pulumi.Output<string>;
    readonly launch: pulumi.Output<LaunchResult>;

    constructor(name: string, args: SparkClusterArgs, opts?: pulumi.ComponentResourceOptions) {
        super("spark-vllm:index:Cluster", name, {}, opts);
        const { plan } = args;
        const id = step("group-id", "new-id", { input: {} }, { parent: this });
        this.groupId = id.stdout.apply((text) => (JSON.parse(text) as { id: string }).id);
        const input = pulumi.all([plan, this.groupId]);
        const preflight = step(
            "preflight",
            "preflight",
            { input: input.apply(([p, groupId]) => ({ plan: p, groupId })) },
            { parent: this },
        );
        const nodes = plan.nodes.map((node) => {
            const sshOptions = args.sshOptions(node);
            return new SparkNode(
                { plan, node, sshOptions, groupId: this.groupId, preflight },
                { parent: this },
            );
        });
        const ranks = this.declareRanks(args, nodes);
        this.launch = this.declareLaunch(args, ranks).stdout.apply(parseResult);
        this.registerOutputs({ groupId: this.groupId, launch: this.launch });
    }

    private declareRanks(args: SparkClusterArgs, nodes: readonly SparkNode[]): docker.Container[] {
        const { plan } = args;
        // Nothing that serves is stopped until every node is checked, built and prepared.
        const ready = nodes.flatMap((node) => [...node.images(), node.caches]);
        return plan.nodes.map((node, index) => {
            const clear = new pulumi.ResourceHook(`${node.names.rank}-before`, async () => {
                await args.clearTheWay(node, await known(this.groupId));
            });
            const parent = nodes[index] ?? this;
            return new docker.Container(
                node.names.rank,
                containerArgs(plan, node.rank, this.groupId, args.secrets),
                {
                    parent,
                    ...(nodes[index] === undefined ? {} : { provider: nodes[index].docker }),
                    dependsOn: ready,
                    // Two ranks of one model do not fit in a Spark's memory together.
                    deleteBeforeReplace: true,
                    // A dead rank is replaced like a removed one, so that launch sees a new id.
                    replaceOnChanges: ["*"],
                    hooks: { beforeCreate: [clear] },
                },
            );
        });
    }

    private declareLaunch(
        args: SparkClusterArgs,
        ranks: readonly docker.Container[],
    ): command.local.Command {
        const { plan, secrets } = args;
        const ids = pulumi.all(ranks.map((rank) => rank.id));
        return step(
            "launch",
            "launch",
            {
                input: pulumi
                    .all([plan, this.groupId])
                    .apply(([p, groupId]) => ({ plan: p, groupId })),
                triggers: ids.apply((containers) => [plan.group, ...containers]),
                ...(secrets.apiKey === undefined
                    ? {}
                    : { secretEnvironment: { SPARK_VLLM_API_KEY: secrets.apiKey } }),
            },
            { parent: this, dependsOn: [...ranks] },
        );
    }
}

/** The last line that launch prints is its result. */
function parseResult(stdout: string): LaunchResult {
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "") as LaunchResult;
}

/** The value of an output inside a hook: hooks run in `up` only, when it is known. */
function known<T>(output: pulumi.Output<T>): Promise<T> {
    return new Promise((resolve) => {
        output.apply(resolve);
    });
}
