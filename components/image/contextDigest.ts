import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

import type { ContextFile } from "./types";

/** Part of every digest: a new way of counting must give new digests. */
const version = "spark-vllm image 1";

/**
 * sha256 (64 hex digits) over what goes into a build: each file's path, kind and content, the build
 * arguments and the images from outside. Times, owners and the place of the folder do not count.
 */
export function contextDigest(
    contextDir: string,
    files: readonly ContextFile[],
    args: Readonly<Record<string, string>>,
    bases: readonly string[],
): string {
    const records = [
        ...files.map((file) => ["file", file.kind, file.path, contentDigest(contextDir, file)]),
        ...Object.keys(args)
            .toSorted()
            .map((name) => ["argument", name, args[name] ?? ""]),
        ...[...new Set(bases)].toSorted().map((base) => ["base", base]),
    ];
    // JSON keeps the parts of a record apart, whatever characters a file name holds.
    return sha256(JSON.stringify([version, ...records]));
}

function contentDigest(contextDir: string, file: ContextFile): string {
    const full = path.join(contextDir, file.path);
    return file.kind === "link" ? sha256(fs.readlinkSync(full)) : sha256(fs.readFileSync(full));
}

function sha256(data: string | Buffer): string {
    return createHash("sha256").update(data).digest("hex");
}
