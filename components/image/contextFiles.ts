import * as fs from "node:fs";
import * as path from "node:path";

import { readIgnoreRules } from "./ignored";
import type { ContextFile } from "./types";

/** A file that keeps the folder from being a build context, and why. */
export interface Refused {
    readonly path: string;
    readonly problem: string;
    readonly fix: string;
}

export interface ContextListing {
    /** Sorted by path. */
    readonly files: readonly ContextFile[];
    readonly refused: readonly Refused[];
}

/**
 * What Docker would be sent from this folder. Empty folders do not count: git does not keep them.
 * @param shown the folder as messages name it
 */
export function listContext(contextDir: string, shown: string): ContextListing {
    const files: ContextFile[] = [];
    const refused: Refused[] = [];
    const rules = readIgnoreRules(contextDir, shown);
    const folders = [""];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        for (const entry of fs.readdirSync(path.join(contextDir, folder), {
            withFileTypes: true,
        })) {
            const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
            const ignored = rules.ignores(file);
            if (entry.isDirectory()) {
                if (!ignored || rules.hasExceptions) folders.push(file);
            } else if (!ignored) {
                const found = classify(contextDir, file, entry);
                if ("problem" in found) refused.push(found);
                else files.push(found);
            }
        }
    }
    // By code units, not by locale: the order must be the same on every machine.
    return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), refused };
}

function classify(contextDir: string, file: string, entry: fs.Dirent): ContextFile | Refused {
    const full = path.join(contextDir, file);
    if (entry.isSymbolicLink()) return classifyLink(file, fs.readlinkSync(full));
    if (!entry.isFile()) {
        return {
            path: file,
            problem: "neither a file, a folder nor a symbolic link",
            fix: "remove it, or name it in .dockerignore",
        };
    }
    // The owner's bit alone, as git keeps it: group and others follow the umask of a checkout.
    const executable = (fs.statSync(full).mode & 0o100) !== 0;
    return { path: file, kind: executable ? "executable" : "file" };
}

function classifyLink(file: string, target: string): ContextFile | Refused {
    const reached = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
    const outside = path.posix.isAbsolute(target) || reached === ".." || reached.startsWith("../");
    if (!outside) return { path: file, kind: "link" };
    return {
        path: file,
        problem: `a symbolic link to ${target}, outside of the build context: Docker does not send what is there`,
        fix: "put a copy into the folder, or make the link in the Dockerfile (RUN ln -s)",
    };
}
