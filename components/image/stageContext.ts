import * as fs from "node:fs";
import * as path from "node:path";

import { writing } from "../writing";
import { listContext } from "./contextFiles";
import type { ImageSource } from "./types";

const stages = ".state/contexts";
const daySeconds = 86_400;

/**
 * A copy of a build context with the modes that git knows: 0755 for folders and what its owner may execute, else 0644.
 * The docker provider compares modes as they are, and they follow the umask of whoever checked out: without this,
 * another user's preview shows a build, whose image has other modes, too.
 * @returns its path relative to the project: the same for the same content, in every checkout
 * @throws RecipeError where the project's folder cannot be written to
 */
export function stageContext(
    projectRoot: string,
    { context, digest }: Pick<ImageSource, "context" | "digest">,
): string {
    const staged = `${stages}/${digest}`;
    const to = path.join(projectRoot, staged);
    if (!fs.existsSync(to)) {
        const making = `${to}.${String(process.pid)}`;
        writing(() => {
            copyContext(path.join(projectRoot, context), making);
            removeOld(path.dirname(to));
            moveTo(making, to);
        });
    }
    markUsed(to);
    return staged;
}

/** For removeOld. Only its owner can; who may but read it here uses it all the same. */
function markUsed(folder: string): void {
    try {
        fs.utimesSync(folder, new Date(), new Date());
    } catch (error) {
        if (!isRefused(error)) throw error;
    }
}

function copyContext(from: string, to: string): void {
    const { files } = listContext(from, from);
    makeFolder(to);
    // What Docker reads itself, whether or not it is sent.
    const own = ["Dockerfile", "Dockerfile.dockerignore", ".dockerignore"]
        .filter((file) => fs.existsSync(path.join(from, file)))
        .map((file) => ({ path: file, kind: "file" as const }));
    const all = new Map([...own, ...files].map((file) => [file.path, file.kind]));
    for (const [file, kind] of all) {
        const [source, target] = [path.join(from, file), path.join(to, file)];
        makeFolder(path.dirname(target));
        if (kind === "link") {
            fs.symlinkSync(fs.readlinkSync(source), target);
        } else {
            fs.copyFileSync(source, target);
            fs.chmodSync(target, kind === "executable" ? 0o755 : 0o644);
        }
    }
}

function makeFolder(folder: string): void {
    if (fs.existsSync(folder)) return;
    makeFolder(path.dirname(folder));
    fs.mkdirSync(folder);
    fs.chmodSync(folder, 0o755);
}

/** Another run may have made the same meanwhile. */
function moveTo(making: string, to: string): void {
    try {
        fs.renameSync(making, to);
    } catch (error) {
        fs.rmSync(making, { recursive: true });
        if (!fs.existsSync(to)) throw error;
    }
}

/** What no run has used for a day. */
function removeOld(folder: string): void {
    for (const name of fs.readdirSync(folder)) {
        const full = path.join(folder, name);
        // Another run may have given it its name, or removed it, meanwhile.
        const usedAt = fs.statSync(full, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
        if (Date.now() - usedAt < daySeconds * 1000) continue;
        removeOwn(full);
    }
}

/** What is another user's is left to him. */
function removeOwn(folder: string): void {
    try {
        fs.rmSync(folder, { recursive: true, force: true });
    } catch (error) {
        if (!isRefused(error)) throw error;
    }
}

function isRefused(error: unknown): boolean {
    return ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
}
