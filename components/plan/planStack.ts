import type { Node } from "../cluster";
import { checkPlan } from "./checks";
import { rankCommand } from "./command";
import { rankEnv } from "./environment";
import { groupDigest, type Member } from "./groupDigest";
import { planImage } from "./image";
import { jitCaches, planJit } from "./jit";
import { hubVariable, mountEnv, mountsOf, planMount } from "./mounts";
import { containerName, nodeNames } from "./names";
import { rankNodes, revisionOf, type PlanInput } from "./planInput";
import { planApi } from "./api";
import { planSmoke } from "./smoke";
import { planWarnings } from "./warnings";
import type { NodePlan, SshPlan, StackPlan } from "./types";

const mebibyte = 1024 ** 2;

function planSsh(node: Node, config: string | undefined): SshPlan {
    return {
        destination: node.destination,
        ...(node.port === undefined ? {} : { port: node.port }),
        ...(node.hostKey === undefined ? {} : { hostKey: node.hostKey }),
        ...(config === undefined ? {} : { config }),
    };
}

function planMember(input: PlanInput, node: Node, rank: number): Member {
    const { recipe, cluster } = input;
    const mounts = mountsOf(recipe, cluster, node);
    const env = rankEnv(recipe, node, mountEnv(mounts));
    return {
        name: node.name,
        ssh: planSsh(node, cluster.sshConfig),
        names: nodeNames(node.name),
        ...(node.home === undefined ? {} : { home: node.home }),
        ...(node.fabric === undefined ? {} : { fabric: node.fabric }),
        jitCaches: jitCaches(mounts, env, node.home),
        rank: {
            role: rank === 0 ? "head" : "worker",
            rank,
            containerName: containerName(recipe.slug, rank),
            command: rankCommand(input, rank),
            env,
            mounts: mounts.map((mount) => planMount(mount, node.home)),
            ...(recipe.shmBytes === undefined
                ? {}
                : { shmMegabytes: Math.ceil(recipe.shmBytes / mebibyte) }),
        },
    };
}

function withLabels(member: Member, { recipe, stack, owner }: PlanInput, group: string): NodePlan {
    const labels = {
        "spark-vllm.stack": stack,
        "spark-vllm.owner": owner,
        "spark-vllm.group": group,
        "spark-vllm.rank": String(member.rank.rank),
        "spark-vllm.recipe": recipe.slug,
    };
    return { ...member, rank: { ...member.rank, labels } };
}

function planWeights({ recipe, cluster }: PlanInput, head: Node | undefined): StackPlan["weights"] {
    const { location, prefetch } = cluster.weights;
    const weights = {
        location,
        prefetch,
        preparedByProgram: prefetch || cluster.nas.manage !== undefined,
    };
    const hub = head && mountsOf(recipe, cluster, head).find((mount) => mount.env === hubVariable);
    return hub === undefined ? weights : { ...weights, path: planMount(hub, head?.home).hostPath };
}

/** The share to mount; checkPlan has seen that there is a place for it. */
function planNasMount(input: PlanInput, path: string | undefined): Pick<StackPlan, "nasMount"> {
    const { manage } = input.cluster.nas;
    return manage === undefined || path === undefined ? {} : { nasMount: { path, ...manage } };
}

function planModel(input: PlanInput): StackPlan["model"] {
    const { model: id, servedModelName: servedName } = input.recipe;
    const revision = revisionOf(input);
    return { id, servedName, ...(revision === undefined ? {} : { revision }) };
}

/**
 * Decides everything: names, argv, environment, mounts and image of each rank. Deterministic and JSON-safe; the same
 * input gives the same text.
 *
 * @throws RecipeError with every way in which recipe and configuration do not fit together.
 */
export function planStack(input: PlanInput): StackPlan {
    checkPlan(input);
    const { recipe, cluster, stack, owner } = input;
    const nodes = rankNodes(cluster);
    const boot = input.image?.smoke?.boot;
    const image = planImage(input);
    const members = nodes.map((node, rank) => planMember(input, node, rank));
    const weights = planWeights(input, nodes[0]);
    const group = groupDigest(members, image, cluster.hasApiKey);
    const { timeoutSeconds, completionTimeoutSeconds, stallSeconds, takeOver, dropCaches } =
        cluster.launch;
    return {
        stack,
        owner,
        recipe: recipe.slug,
        title: recipe.name,
        model: planModel(input),
        image,
        nodes: members.map((member) => withLabels(member, input, group)),
        group,
        api: planApi(cluster, nodes[0]),
        masterPort: cluster.masterPort,
        weights,
        nasFsTypes: cluster.nas.fsTypes,
        launch: { timeoutSeconds, completionTimeoutSeconds, stallSeconds, takeOver, dropCaches },
        ...planNasMount(input, weights.path),
        ...(boot === undefined ? {} : { expected: boot }),
        smoke: planSmoke(input),
        jit: planJit(input),
        housekeeping: { retain: cluster.image.retain, purge: cluster.purge },
        ignoredChecks: cluster.checks.ignore.map(({ id }) => id),
        warnings: planWarnings(input),
    };
}
