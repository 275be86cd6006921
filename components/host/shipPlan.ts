import { gib } from "../cluster";
import type { Issue } from "../issue";
import type { ImageLook } from "./imageLook";

/** Which nodes need the first node's image, and what of it they have already. */
export interface ShipPlan {
    readonly receivers: readonly ImageLook[];
    /** Members of the archive that every receiver has: layers below all that differs. */
    readonly leaveOut: readonly string[];
}

/** An image is the same on another node exactly when its layers are; ids depend on how Docker stores them. */
export function hasImage(look: ImageLook, sender: ImageLook): boolean {
    return sender.image !== null && look.image?.layers.join() === sender.image.layers.join();
}

/**
 * Docker takes an image without the layers that it has already. containerd's store does not, and names the parts
 * of its archives by other digests.
 */
export function planShip(sender: ImageLook, others: readonly ImageLook[]): ShipPlan {
    const layers = sender.image?.layers ?? [];
    const receivers = others.filter((look) => !hasImage(look, sender));
    const known = receivers.map((look) =>
        look.containerd || sender.containerd ? 0 : commonLayers(layers, look.others),
    );
    const shared = layers.slice(0, receivers.length === 0 ? 0 : Math.min(...known));
    return { receivers, leaveOut: shared.map((id) => `blobs/sha256/${id.replace("sha256:", "")}`) };
}

/** How many of these layers, from the lowest up, some image of the node stands on. */
function commonLayers(layers: readonly string[], images: readonly (readonly string[])[]): number {
    const common = (image: readonly string[]) => {
        const differs = layers.findIndex((layer, index) => image[index] !== layer);
        return differs === -1 ? layers.length : differs;
    };
    return Math.max(0, ...images.map(common));
}

/** Docker unpacks an archive beside its store before it takes the layers in: twice the image. */
export function roomIssues(sender: ImageLook, { receivers, leaveOut }: ShipPlan): readonly Issue[] {
    // How much the missing layers are is not known; Docker itself refuses what does not fit.
    const needed = leaveOut.length > 0 ? 2 ** 30 : 2 * (sender.image?.bytes ?? 0);
    return receivers.flatMap(({ node, root, freeKib }): Issue[] =>
        freeKib === null || freeKib * 1024 >= needed
            ? []
            : [
                  {
                      code: "disk",
                      severity: "error",
                      file: node,
                      path: "",
                      problem: `${root} has ${gib(freeKib * 1024)} free`,
                      expected: `${gib(needed)} to take in the image from ${sender.node}`,
                      fix: "`docker system df` shows what takes the room, `docker image prune` frees some",
                  },
              ],
    );
}
