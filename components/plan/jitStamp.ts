import { createHash } from "node:crypto";
import type { Topology } from "./keepTypes";

/** What an image was found to hold of the libraries that compile kernels, and of the code they compile. */
export interface JitLibraries {
    /** Package -> version. */
    readonly packages: Readonly<Record<string, string>>;
    /** Module -> sha256 over its files. */
    readonly contents: Readonly<Record<string, string>>;
}

/** The same text for the same content, in whatever order it was found. */
function sorted(values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
    return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Names what compiled kernels depend on: libraries, plugins and the way the work is cut, not the image as a whole, so
 * that a changed label costs nobody a cold start.
 *
 * @param fallback stands for an image that does not tell its libraries, e.g. its tag.
 * @returns 12 hex digits.
 */
export function jitStamp(
    { packages, contents }: JitLibraries,
    { tensorParallelSize, pipelineParallelSize, platform }: Topology,
    fallback: string,
): string {
    const libraries = [sorted(packages), sorted(contents)];
    const known = libraries.some((list) => list.length > 0);
    const content = [
        known ? libraries : fallback,
        [tensorParallelSize, pipelineParallelSize, platform],
    ];
    return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 12);
}
