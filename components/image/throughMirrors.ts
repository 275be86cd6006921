import type { Issue } from "../issue";

import { type BaseImage, isPinned } from "./baseImages";
import { type Mirror, mirrored } from "./reference";

/** A build's images from outside as they are to be asked for. */
export interface ThroughMirrors {
    readonly images: readonly string[];
    /** Build arguments that lead the builder there. */
    readonly args: Readonly<Record<string, string>>;
    readonly issues: readonly Issue[];
}

/**
 * Sends a build's base images through the mirrors. A builder can only be led there by an argument that is the whole
 * name, so one that a Dockerfile writes out is an issue. Without a digest a base is nobody's but this node's.
 */
export function throughMirrors(
    dockerfile: string,
    bases: readonly BaseImage[],
    mirrors: readonly Mirror[],
): ThroughMirrors {
    const pinned = bases.filter(({ reference }) => isPinned(reference));
    const moved = pinned.filter(({ reference }) => mirrored(reference, mirrors) !== reference);
    return {
        images: [...new Set(pinned.map(({ reference }) => mirrored(reference, mirrors)))],
        args: Object.fromEntries(
            moved.flatMap(({ whole, reference }) =>
                whole === undefined ? [] : [[whole, mirrored(reference, mirrors)]],
            ),
        ),
        issues: moved.flatMap((base) =>
            base.whole === undefined ? [writtenOut(dockerfile, base)] : [],
        ),
    };
}

function writtenOut(file: string, { reference, line }: BaseImage): Issue {
    return {
        code: "image",
        severity: "error",
        file,
        line,
        path: "FROM",
        problem: `image.mirrors stands in for ${reference}, but the name is written out here`,
        expected: "a name that an argument gives, because only that can be replaced",
        fix: `write ARG BASE=${reference} above the first FROM, and FROM \${BASE}`,
    };
}
