import { mirrored, readReference, registryOf } from "../image";
import { rankNodes, type PlanInput } from "./planInput";
import type { ImagePlan, PullPlan } from "./imageTypes";

/**
 * What the program pulls itself. A name without a registry and without a digest is local and never pulled. The bases
 * of a build are the builder's to pull, except from the registry with a login: the builder would need a password
 * on the node or in the provider's state.
 */
export function planPull(
    { recipe, cluster, image }: PlanInput,
    strategy: ImagePlan["strategy"],
): PullPlan | undefined {
    const { pull, mirrors, registry: login } = cluster.image;
    const names = rankNodes(cluster).map(({ name }) => name);
    const common = {
        nodes: strategy === "ship" ? names.slice(0, 1) : names,
        ...(login === undefined ? {} : { login }),
    };
    if (image !== null) {
        const images = image.bases.filter((base) => registryOf(base) === login?.server);
        return images.length === 0 ? undefined : { what: "bases", images, ...common };
    }
    const { registry, digest } = readReference(recipe.dockerImage);
    if (digest === undefined && (registry === undefined || pull === "digest")) return undefined;
    return { what: "ranks", images: [mirrored(recipe.dockerImage, mirrors)], ...common };
}
