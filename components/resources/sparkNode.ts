import type * as command from "@pulumi/command";
import * as docker from "@pulumi/docker";
import * as pulumi from "@pulumi/pulumi";

import type { NodePlan, StackPlan } from "../plan";
import { step } from "./step";

export interface SparkNodeArgs {
    readonly plan: StackPlan;
    readonly node: NodePlan;
    /** Words for `ssh` before the destination; the same for every transport. */
    readonly sshOptions: readonly string[];
    readonly groupId: pulumi.Output<string>;
    /** Everything on this node waits for it: preflight, and what was pulled after that. */
    readonly preflight: pulumi.Resource;
    /** Instead of the image's own folder. */
    readonly buildContext?: string | undefined;
}

/** What one machine needs before its rank can start: its Docker, the image, its cache directories. */
export class SparkNode extends pulumi.ComponentResource {
    readonly node: NodePlan;
    readonly docker: docker.Provider;
    readonly image: docker.Image | undefined;
    readonly caches: command.local.Command;
    /** The share, when the program mounts it. */
    readonly nas: readonly command.local.Command[];

    constructor(args: SparkNodeArgs, opts?: pulumi.ComponentResourceOptions) {
        super("spark-vllm:index:Node", args.node.names.node, {}, opts);
        const { names } = args.node;
        this.node = args.node;
        this.docker = new docker.Provider(
            names.provider,
            { host: dockerHost(args.node), sshOpts: [...args.sshOptions] },
            { parent: this },
        );
        this.nas = this.mountNas(args);
        this.image = this.buildImage(args);
        this.caches = step(
            names.caches,
            "caches",
            {
                // Only what this step reads, so that a changed argument is no change here.
                input: {
                    node: { name: args.node.name, ssh: args.node.ssh },
                    mounts: args.node.rank.mounts,
                    groupId: args.groupId,
                    ...purgeOf(args),
                },
                undo: "forget",
            },
            { parent: this, dependsOn: [args.preflight, ...this.images()] },
        );
        this.registerOutputs({});
    }

    /** The image resource, when the program builds one on this node. */
    images(): pulumi.Resource[] {
        return this.image === undefined ? [] : [this.image];
    }

    private mountNas({ plan, node, groupId, preflight }: SparkNodeArgs): command.local.Command[] {
        const { nasMount: mount } = plan;
        if (mount === undefined) return [];
        const { name, ssh, names } = node;
        return [
            step(
                names.nas,
                "nas",
                {
                    input: { node: { name, ssh }, mount, groupId },
                    // On another machine it is another mount: the old one is taken away there.
                    triggers: [ssh.destination, String(ssh.port ?? "")],
                    undo: "nas-undo",
                },
                { parent: this, dependsOn: [preflight] },
            ),
        ];
    }

    private buildImage(args: SparkNodeArgs): docker.Image | undefined {
        const { build, tag, platform, strategy } = args.plan.image;
        const receives = strategy === "ship" && args.node.rank.role !== "head";
        if (build === null || receives) return undefined;
        const context = args.buildContext ?? build.context;
        return new docker.Image(
            args.node.names.image,
            {
                imageName: tag,
                skipPush: true,
                build: {
                    context,
                    dockerfile: `${context}/Dockerfile`,
                    args: { ...build.args },
                    platform,
                    builderVersion: docker.BuilderVersion.BuilderBuildKit,
                },
            },
            { parent: this, provider: this.docker, dependsOn: [args.preflight] },
        );
    }
}

interface NodesArgs extends Pick<SparkNodeArgs, "plan" | "buildContext"> {
    readonly sshOptions: (node: NodePlan) => readonly string[];
}

/** Every machine of the plan, in the order of ranks. */
export function declareNodes(
    { plan, sshOptions, buildContext }: NodesArgs,
    groupId: SparkNodeArgs["groupId"],
    preflight: pulumi.Resource,
    opts: pulumi.ComponentResourceOptions,
): readonly SparkNode[] {
    return plan.nodes.map((node) => {
        const own = { node, sshOptions: sshOptions(node) };
        return new SparkNode({ plan, ...own, groupId, preflight, buildContext }, opts);
    });
}

/** For the step's undo; absent by default, so that nobody's step changes for it. */
function purgeOf({ plan, node }: SparkNodeArgs) {
    const { purge } = plan.housekeeping;
    const { jitCaches } = node;
    return purge.length === 0 ? {} : { purge: { owner: plan.owner, what: purge, jitCaches } };
}

function dockerHost(node: NodePlan): string {
    const port = node.ssh.port === undefined ? "" : `:${String(node.ssh.port)}`;
    return `ssh://${node.ssh.destination}${port}`;
}
