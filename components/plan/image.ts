import type { ImagePlan } from "./types";
import type { PlanInput } from "./planInput";

/** Docker's limit for a tag is 128 characters; 13 are the dash and the digest's part. */
const longestTag = 115;

function builtTag(reference: string, digest: string): string {
    const name = reference.split("@", 1)[0] ?? reference;
    const colon = name.lastIndexOf(":");
    const tagged = colon > name.lastIndexOf("/");
    const repository = tagged ? name.slice(0, colon) : name;
    const tag = tagged ? name.slice(colon + 1) : "latest";
    return `${repository}:${tag.slice(0, longestTag)}-${digest.slice(0, 12)}`;
}

/**
 * The image of all ranks. One that the program builds has its content's digest in its tag: preview knows it, both
 * nodes build the same, and a change of a byte is a change of the plan.
 */
export function planImage({ recipe, cluster, image }: PlanInput): ImagePlan {
    const { platform } = cluster.image;
    // A single node has nobody to send to.
    const strategy = recipe.requiredNodes === 1 ? "per-node" : cluster.image.strategy;
    const common = { reference: recipe.dockerImage, strategy, platform };
    if (image === null) return { tag: recipe.dockerImage, build: null, ...common };
    const { context, dockerfile, args, digest } = image;
    return {
        tag: builtTag(recipe.dockerImage, digest),
        build: {
            context,
            dockerfile,
            args,
            digest,
            labels: { "spark-vllm.context": digest },
        },
        ...common,
    };
}
