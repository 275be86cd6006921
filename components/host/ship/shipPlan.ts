import { gib } from "../../cluster";
import type { Issue } from "../../issue";
import type { ImageLook } from "../imageLook";
import type { Offer } from "./offerImage";

/** Files, label and settings, which all travel; an id depends on how Docker stores the image. */
const identity = ({ image }: ImageLook) =>
    image === null
        ? null
        : JSON.stringify([image.layers, image.context, Object.entries(image.settings).toSorted()]);

/** Whether a node has the sender's image. */
export function hasImage(look: ImageLook, sender: ImageLook): boolean {
    return sender.image !== null && identity(look) === identity(sender);
}

/**
 * How many layers of the sender's image, from the lowest up, some image of the node stands on. containerd's store
 * knows layers by other digests than Docker's: none is sure to be known.
 */
export function commonLayers(look: ImageLook, sender: ImageLook): number {
    const layers = sender.image?.layers ?? [];
    if (look.containerd || sender.containerd) return 0;
    const common = (image: readonly string[]) => {
        const differs = layers.findIndex((layer, index) => image[index] !== layer);
        return differs === -1 ? layers.length : differs;
    };
    return Math.max(0, ...look.others.map(common));
}

/** Docker keeps a layer as it came until it is unpacked. */
const copies = 2;
/** And unpacked it is larger; three times is usual for what vLLM images hold. */
const copiesOfPacked = 4;

/** Who has not the room for what is missing there. */
export function roomIssues(
    sender: ImageLook,
    receivers: readonly ImageLook[],
    { layers, packed }: Pick<Offer, "layers" | "packed">,
): readonly Issue[] {
    return receivers.flatMap((look): Issue[] => {
        const missing = layers.slice(commonLayers(look, sender));
        const bytes = missing.reduce((sum, each) => sum + each, 0);
        const needed = bytes * (packed ? copiesOfPacked : copies);
        if (look.freeKib === null || look.freeKib * 1024 >= needed) return [];
        return [
            {
                code: "disk",
                severity: "error",
                file: look.node,
                path: "",
                problem: `${look.root} has ${gib(look.freeKib * 1024)} free`,
                expected: `${gib(needed)} to take in the image from ${sender.node}`,
                fix: "`docker system df` shows what takes the room, `docker image prune` frees some",
            },
        ];
    });
}
