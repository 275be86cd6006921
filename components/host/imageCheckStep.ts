import { RecipeError, renderIssues } from "../issue";
import type { ImageContent, ImagePlan } from "../plan";
import type { GroupNode } from "./group";
import { imageIssues, unreadable } from "./imageCheck";
import { type ImageLook, lookAtImage } from "./imageLook";
import { type Manifest, manifestDigest } from "./manifest";
import { startProgress } from "./progress";
import { sameContent } from "./sameContent";
import { runScript } from "./ssh";
import tagScript from "./tagImage.sh";

export interface ImageCheckInput {
    readonly nodes: readonly GroupNode[];
    readonly image: ImagePlan;
    /** Label of the throw-away containers. */
    readonly owner: string;
}

const closing = "Nothing that serves was stopped.";

/**
 * Proves that all nodes have the same image, by what is in it. Throws RecipeError with every difference; gives a
 * built image the recipe's own name as well.
 */
export async function imageCheckStep(
    { nodes, image, owner }: ImageCheckInput,
    signal: AbortSignal,
): Promise<ImageContent> {
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    const looks = await Promise.all(nodes.map((node) => lookAtImage(node, image.tag, signal)));
    refuse(imageIssues(looks, image));
    const read = nodes.map((node) => ({ node, name: image.tag }));
    const manifest = await sameContent(read, image, {
        ...{ owner, closing, signal },
        onRead: (node, found) => {
            progress.say(node, found === null ? "no Python in the image" : "image read");
        },
    });
    const warnings = unreadable(looks, image, manifest?.contents ?? null);
    if (warnings.length > 0) process.stderr.write(`${renderIssues(warnings)}\n`);
    await Promise.all(nodes.map((node) => giveName(node, image, signal)));
    return contentOf(
        looks,
        manifest,
        warnings.map(({ problem }) => problem),
    );
}

function refuse(issues: ReturnType<typeof imageIssues>): void {
    if (issues.length > 0) throw new RecipeError(issues, closing);
}

/** The recipe's own name leads to the image too, for whoever looks for it by hand. */
async function giveName(node: GroupNode, image: ImagePlan, signal: AbortSignal): Promise<void> {
    if (image.build === null) return;
    await runScript(node, tagScript, {
        args: [image.tag, image.reference],
        timeoutSeconds: 30,
        signal,
    });
}

function contentOf(
    looks: readonly ImageLook[],
    manifest: Manifest | null,
    warnings: readonly string[],
): ImageContent {
    const engine = new Set(manifest?.plugins);
    const kept = ([name]: readonly [string, string]) =>
        engine.has(name) || /^(vllm|torch|triton|pytorch-triton|flashinfer(-.*)?)$/.test(name);
    return {
        digest: manifest === null ? null : manifestDigest(manifest),
        python: manifest?.python ?? null,
        packages: Object.fromEntries(Object.entries(manifest?.packages ?? {}).filter(kept)),
        contents: manifest?.contents ?? {},
        images: Object.fromEntries(looks.map(({ node, image }) => [node, image?.id ?? ""])),
        warnings,
    };
}
