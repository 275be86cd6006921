import { RecipeError } from "../issue";
import type { ImagePlan } from "../plan";
import type { GroupNode } from "./group";
import { type ImageLook, lookAtImage } from "./imageLook";
import { startProgress } from "./progress";
import { pullImage, type PullOptions } from "./pullImage";

export interface ImagePullInput {
    readonly nodes: readonly GroupNode[];
    readonly image: ImagePlan;
}

/**
 * Brings what the plan pulls to the nodes that lack it; the password comes in the environment. Where everything is
 * there, no registry is asked. Throws RecipeError with what failed on every node.
 */
export async function imagePullStep(
    { nodes, image }: ImagePullInput,
    signal: AbortSignal,
): Promise<object> {
    const { pull } = image;
    if (pull === undefined) return { pulled: [] };
    const password = process.env["SPARK_VLLM_REGISTRY_PASSWORD"];
    const options: PullOptions = {
        platform: image.platform,
        progress: startProgress((line) => process.stderr.write(`${line}\n`)),
        signal,
        ...(pull.login === undefined ? {} : { login: pull.login }),
        ...(password === undefined ? {} : { password }),
    };
    const pulling = nodes.filter(({ name }) => pull.nodes.includes(name));
    if (pull.what === "bases") {
        // Even where the built image is there: the builder asks for them when it merely looks.
        for (const base of pull.images)
            await onAll(pulling, (node) => pullImage(node, base, options));
        return { pulled: pull.images };
    }
    const looks = await Promise.all(nodes.map((node) => lookAtImage(node, image.tag, signal)));
    const there = new Set(looks.flatMap((look) => (look.image === null ? [] : [look.node])));
    await pullRanks(
        pulling.filter(({ name }) => !there.has(name)),
        looks,
        image,
        options,
    );
    return { pulled: pull.images };
}

/** By digest on all nodes; a tag is resolved by the first, because it may lead elsewhere a minute later. */
async function pullRanks(
    lacking: readonly GroupNode[],
    looks: readonly ImageLook[],
    image: ImagePlan,
    options: PullOptions,
): Promise<void> {
    const [wanted = ""] = image.pull?.images ?? [];
    const named = { ...options, tag: image.tag };
    const [first, ...rest] = lacking;
    if (first === undefined) return;
    if (wanted.includes("@")) return onAll(lacking, (node) => pullImage(node, wanted, named));
    const known = pinnedBy(looks, wanted, image.reference);
    if (known !== undefined) return onAll(lacking, (node) => pullImage(node, known, named));
    await pullImage(first, wanted, named);
    const resolved = pinnedBy([await lookAtImage(first, wanted, options.signal)], wanted);
    options.progress.say(first.name, `${wanted} is ${resolved ?? "an image without a digest"}`);
    await onAll(rest, (node) => pullImage(node, resolved ?? wanted, named));
}

/** `name@sha256:…` of a tag, as the first node tells that has it from there, or from where a mirror stands in. */
function pinnedBy(
    looks: readonly ImageLook[],
    wanted: string,
    original = wanted,
): string | undefined {
    const [repository, other] = [wanted, original].map((name) => name.replace(/:[^:/]*$/, ""));
    const digest = looks
        .flatMap(({ image }) => image?.digests ?? [])
        .map((known) => known.split("@"))
        .find(([name]) => name === repository || name === other)?.[1];
    return digest === undefined ? undefined : `${repository ?? ""}@${digest}`;
}

async function onAll(
    nodes: readonly GroupNode[],
    work: (node: GroupNode) => Promise<void>,
): Promise<void> {
    const ends = await Promise.allSettled(nodes.map(work));
    const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Error] : []));
    const known = failed.flatMap((error) => (error instanceof RecipeError ? [error] : []));
    // Anything else than an issue is a bug and keeps its stack.
    const bug = failed.find((error) => !(error instanceof RecipeError));
    if (bug !== undefined) throw bug;
    if (known[0] === undefined) return;
    throw new RecipeError(
        known.flatMap(({ issues }) => issues),
        known[0].closing,
    );
}
