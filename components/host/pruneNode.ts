import { gib } from "../cluster";
import type { Issue } from "../issue";
import asRootScript from "./asRoot.sh";
import type { GroupNode } from "./group";
import { shownNames } from "./ownImage";
import type { Prunable } from "./pruneDecide";
import { dropReleases } from "./pruneLook";
import removeScript from "./pruneImages.sh";
import { runScript } from "./ssh";

/** What goes, a line each, with its size. Layers that another image has too stay, so an image's is an upper bound. */
export function describePrunable({ images, caches }: Prunable): readonly string[] {
    return [
        ...images.map(({ names, bytes }) => `image ${shownNames(names)}, up to ${gib(bytes)}`),
        ...caches.map(
            ({ path, stamp, bytes }) =>
                `JIT cache ${path}${stamp === "" ? ", of unknown origin" : ""}, ${gib(bytes)}`,
        ),
    ];
}

/**
 * Removes it on a node; nothing by force, so that what came into use meanwhile stays.
 *
 * @returns what could not be removed, in words; never throws for it.
 */
export async function removePrunable(
    node: GroupNode,
    { images, caches, releases }: Prunable,
    image: string,
): Promise<readonly string[]> {
    const problems: string[] = [];
    const attempt = async (script: string, args: readonly string[]) => {
        const { code, stderr } = await runScript(node, script, { args, timeoutSeconds: 300 });
        if (code !== 0) problems.push(`not removed: ${stderr.trim().split("\n").join(" / ")}`);
    };
    // Caches first: their removal may need one of the images.
    if (caches.length > 0) {
        await attempt(asRootScript, ["remove", image, ...caches.map(({ path }) => path)]);
    }
    if (images.length > 0)
        await attempt(
            removeScript,
            images.flatMap(({ names }) => names),
        );
    if (problems.length === 0 && releases.length > 0) await dropReleases(node, releases);
    return problems;
}

/** What removePrunable could not remove, as issues; `again` is the command that tries it once more. */
export function notRemoved(
    node: GroupNode,
    problems: readonly string[],
    { path, again }: { readonly path: string; readonly again: string },
): readonly Issue[] {
    return problems.map((problem) => ({
        code: "docker",
        severity: "error",
        file: node.name,
        path,
        problem,
        expected: "images and caches that can be removed",
        fix: `mend it there and run \`${again}\` again, or remove it by hand`,
    }));
}
