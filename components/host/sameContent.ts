import { RecipeError } from "../issue";
import type { ImagePlan, StackPlan } from "../plan";
import { compareManifests } from "./compareManifests";
import { type GroupNode, observeAll } from "./group";
import { lookAtImage } from "./imageLook";
import type { ObservedNode } from "./launchState";
import { type Manifest, readManifest } from "./manifest";

/** An image of a node, by name or id. */
interface NodeImage {
    readonly node: GroupNode;
    readonly name: string;
}

interface ContentOptions {
    /** Label of the throw-away containers. */
    readonly owner: string;
    /** What is true when it is refused. */
    readonly closing: string;
    readonly onRead?: (node: string, manifest: Manifest | null) => void;
    readonly signal?: AbortSignal;
}

/**
 * Reads an image on every node and compares what is in it. Throws RecipeError with every difference.
 * @returns the manifest that all share; null: no Python in the image
 */
export async function sameContent(
    images: readonly NodeImage[],
    plan: ImagePlan,
    { owner, closing, onRead, signal }: ContentOptions,
): Promise<Manifest | null> {
    const manifests = await Promise.all(
        images.map(async ({ node, name }) => {
            const manifest = await readManifest(node, name, owner, signal);
            onRead?.(node.name, manifest);
            return { node: node.name, manifest };
        }),
    );
    const issues = compareManifests(manifests, plan.tag, fixOf(plan));
    if (issues.length > 0) throw new RecipeError(issues, closing);
    return manifests[0]?.manifest ?? null;
}

function fixOf({ build }: ImagePlan): string {
    return build === null
        ? "load the same image on every node"
        : `pin what ${build.dockerfile} installs, or build once: \`image.strategy: ship\``;
}

/** What a node's Docker has under the plan's tag, and what its rank was made of. */
export interface RankImage {
    /** Id under the tag; undefined: no such image. */
    readonly tagged: string | undefined;
    /** Id of the rank's image; undefined: no rank is there. */
    readonly ofRank: string | undefined;
    /** Whether the rank runs: it goes on with its image, any other is made anew, of the tag's. */
    readonly running: boolean;
}

/**
 * Which images a revived group would run, one a node in the order given; undefined when nothing has to be read: the
 * tags lead to what the ranks were made of and the image check saw, or an image is missing. Pure.
 */
export function imagesToRead(seen: readonly RankImage[]): readonly string[] | undefined {
    if (seen.every(({ tagged, ofRank }) => tagged !== undefined && tagged === ofRank)) {
        return undefined;
    }
    const used = seen.map(({ tagged, ofRank, running }) => (running ? ofRank : tagged));
    return used.every((id) => id !== undefined) ? used : undefined;
}

/**
 * Before a group is revived: no resource changed, so the image check did not run, and someone may have given the tag
 * to another image. Throws RecipeError when the ranks would differ in content.
 */
export async function checkRevivedContent(plan: StackPlan, groupId: string): Promise<void> {
    const [observed, looks] = await Promise.all([
        observeAll(plan.nodes, groupId),
        Promise.all(plan.nodes.map((node) => lookAtImage(node, plan.image.tag))),
    ]);
    const seen = plan.nodes.map(({ rank }, index) => ({
        tagged: looks[index]?.image?.id,
        ...rankOf(observed[index], rank.rank),
    }));
    const used = imagesToRead(seen);
    if (used === undefined) return;
    const images = plan.nodes.map((node, index) => ({ node, name: used[index] ?? "" }));
    const closing = "The ranks that still run were left as they are.";
    await sameContent(images, plan.image, { owner: plan.owner, closing });
}

function rankOf(
    observed: ObservedNode | undefined,
    rank: number,
): Pick<RankImage, "ofRank" | "running"> {
    const found = observed?.containers.find((each) => each.rank === rank);
    return { ofRank: found?.image, running: found?.running === true };
}
