import type { NodeNames } from "./types";

/** Logical names of what belongs to the group as a whole. */
export const groupNames = {
    preflight: "preflight",
    imagePull: "image-pull",
    imageShip: "image-ship",
    imageCheck: "image-check",
    argumentCheck: "argument-check",
    weights: "weights",
    changeOver: "change-over",
    launch: "launch",
    smoke: "smoke",
    prune: "prune",
    groupId: "group-id",
} as const;

/**
 * Logical names of a node's resources: identity. They hold node and thing, never the recipe, so that another recipe,
 * node or order replaces in place. A name changes only with an alias and a line in the CHANGELOG.
 */
export function nodeNames(node: string): NodeNames {
    return {
        node,
        provider: `${node}-docker`,
        image: `${node}-image`,
        nas: `${node}-nas`,
        caches: `${node}-caches`,
        rank: `${node}-rank`,
    };
}

/** Name of a rank's container on its node. */
export function containerName(recipe: string, rank: number): string {
    return `${recipe}-rank${String(rank)}`;
}
