import { existsSync } from "node:fs";
import * as path from "node:path";

/** Folder of Pulumi.yaml, at a folder or above it; else the current folder. */
export function projectRoot(folder: string): string {
    if (existsSync(path.join(folder, "Pulumi.yaml"))) return folder;
    const parent = path.dirname(folder);
    return parent === folder ? process.cwd() : projectRoot(parent);
}

/** Where the user typed the command: npm runs scripts in the project's root and tells where it was called. */
export function typedIn(root: string): string {
    const { INIT_CWD: called } = process.env;
    return called !== undefined && process.cwd() === root && called.startsWith(`${root}/`)
        ? called
        : process.cwd();
}
