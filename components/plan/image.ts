import { readReference } from "../image";
import type { ImagePlan } from "./imageTypes";
import type { PlanInput } from "./planInput";
import { planPull } from "./pull";

/** Docker's limit for a tag is 128 characters; 13 are the dash and the digest's part. */
const longestTag = 115;

/** A local name that holds the content's identity: an archive carries names and tags, but no digests. */
function tagOf(reference: string, digest: string, untagged: string): string {
    const { name, tag = untagged } = readReference(reference);
    return `${name}:${tag.slice(0, longestTag)}-${digest.slice(0, 12)}`;
}

/**
 * The image of all ranks. One that the program builds has its content's digest in its tag: preview knows it, both
 * nodes build the same, and a change of a byte is a change of the plan. So has one that is named by its digest.
 */
export function planImage(input: PlanInput): ImagePlan {
    const { recipe, cluster, image } = input;
    const { platform } = cluster.image;
    const reference = recipe.dockerImage;
    // A single node has nobody to send to.
    const strategy = recipe.requiredNodes === 1 ? "per-node" : cluster.image.strategy;
    const pull = planPull(input, strategy);
    const common = { reference, strategy, platform, ...(pull === undefined ? {} : { pull }) };
    if (image === null) {
        const { digest } = readReference(reference);
        const tag = digest === undefined ? reference : tagOf(reference, digest.slice(7), "sha256");
        return { tag, build: null, ...common };
    }
    const { context, dockerfile, args, digest } = image;
    return {
        tag: tagOf(reference, digest, "latest"),
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
