import type { ImagePlan } from "../plan";
import type { GroupNode } from "./group";
import { type ImageLook, lookAtImage } from "./imageLook";
import { onEveryNode } from "./onEveryNode";
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
            await onEveryNode(pulling, (node) => pullImage(node, base, options));
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
    const pullOn = async (some: readonly GroupNode[], name: string) => {
        await onEveryNode(some, (node) => pullImage(node, name, named));
    };
    if (wanted.includes("@")) return pullOn(lacking, wanted);
    const known = pinnedBy(looks, wanted, image.reference);
    if (known !== undefined) return pullOn(lacking, known);
    await pullImage(first, wanted, named);
    const resolved = pinnedBy([await lookAtImage(first, wanted, options.signal)], wanted);
    options.progress.say(first.name, `${wanted} is ${resolved ?? "an image without a digest"}`);
    await pullOn(rest, resolved ?? wanted);
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
