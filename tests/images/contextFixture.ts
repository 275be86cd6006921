import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";

import { RecipeError, type Issue } from "../../components/issue";

/** A base image with a digest. */
export const base = `example/engine@sha256:${"1".repeat(64)}`;
export const dockerfile = `ARG BASE=${base}\nFROM \${BASE}\nCOPY app /app\n`;

const made: string[] = [];

/** A project with one image folder, `engine`, of these files (content by path); removed by `removeProjects`. */
export function project(files: Readonly<Record<string, string>>): string {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "spark-image-"));
    made.push(root);
    for (const [name, content] of Object.entries(files)) write(root, name, content);
    return root;
}

export function removeProjects(): void {
    for (const root of made.splice(0)) fs.rmSync(root, { recursive: true });
}

/** Path of a file in the image folder of `project`. */
export function inImage(root: string, name: string): string {
    return path.join(root, "docker-images", "engine", name);
}

export function write(root: string, name: string, content: string): void {
    fs.mkdirSync(path.dirname(inImage(root, name)), { recursive: true });
    fs.writeFileSync(inImage(root, name), content);
}

/** The issues that `action` ends with; fails when it ends well or with another error. */
export function issuesOf(action: () => unknown): readonly Issue[] {
    try {
        action();
    } catch (error) {
        if (error instanceof RecipeError) return error.issues;
        throw error;
    }
    throw new Error("no issue was raised");
}
