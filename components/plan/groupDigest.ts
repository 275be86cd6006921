import { createHash } from "node:crypto";
import type { ImagePlan } from "./imageTypes";
import type { NodePlan, RankPlan } from "./types";

/** A node and its rank before the labels, which hold the digest itself. */
export interface Member extends Omit<NodePlan, "rank"> {
    readonly rank: Omit<RankPlan, "labels">;
}

/** JSON with sorted keys; `env` is a list, because its order is part of the plan. */
function canonical(value: unknown): string {
    return JSON.stringify(value, (_, inner: unknown) =>
        typeof inner === "object" && inner !== null && !Array.isArray(inner)
            ? Object.fromEntries(
                  Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))),
              )
            : inner,
    );
}

function identity({ name, ssh, fabric, rank }: Member): unknown {
    const { destination, port } = ssh; // a pinned key or another ssh_config leads to the same machine
    return { name, destination, port, fabric, ...rank, env: Object.entries(rank.env) };
}

/**
 * Digest over all that a rank is started with: command, environment, mounts, image, node and order. Limits of the
 * launch, titles and warnings are not part of it: they change no rank.
 *
 * @returns 16 hex digits.
 */
export function groupDigest(
    members: readonly Member[],
    image: ImagePlan,
    secured: boolean,
): string {
    const { tag, build, platform } = image;
    const content = {
        secured,
        image: { tag, digest: build?.digest, platform },
        ranks: members.map(identity),
    };
    return createHash("sha256").update(canonical(content)).digest("hex").slice(0, 16);
}
