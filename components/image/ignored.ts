import * as fs from "node:fs";
import * as path from "node:path";

import dockerignore, { type Ignore } from "@balena/dockerignore";

import { RecipeError } from "../issue";

export interface IgnoreRules {
    /** Whether Docker leaves this path (relative, forward slashes) out of the build context. */
    readonly ignores: (file: string) => boolean;
    /** Whether a rule takes something back in, so that an ignored folder must still be looked into. */
    readonly hasExceptions: boolean;
}

/**
 * The rules of `Dockerfile.dockerignore`, else of `.dockerignore`, as Docker reads them. The Dockerfile
 * itself is always sent.
 * @param shown the folder as messages name it
 */
export function readIgnoreRules(contextDir: string, shown: string): IgnoreRules {
    const name = ["Dockerfile.dockerignore", ".dockerignore"].find((file) =>
        fs.existsSync(path.join(contextDir, file)),
    );
    if (name === undefined) return { ignores: () => false, hasExceptions: false };
    const text = fs.readFileSync(path.join(contextDir, name), "utf8");
    const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
    // Docker's rules know upper and lower case; the library's default does not.
    const rules = dockerignore({ ignorecase: false }).add(lines.map(escapeForRegExp));
    refuseBrokenRule(rules, `${shown}/${name}`);
    return {
        ignores: (file) => file !== "Dockerfile" && rules.ignores(file),
        hasExceptions: lines.some((line) => line.trimStart().startsWith("!")),
    };
}

/** The library hands these characters to a regular expression as they are; in a rule they mean themselves. */
function escapeForRegExp(line: string): string {
    return line.replace(/\\.|[+(){}|]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}

/** Rules are compiled when first used; one that is no pattern ends Docker's build too. */
function refuseBrokenRule(rules: Ignore, file: string): void {
    try {
        rules.ignores("any");
    } catch {
        throw new RecipeError([
            {
                code: "image",
                severity: "error",
                file,
                path: "",
                problem: "a rule is no pattern, such as one with [ and no ]",
                expected: "patterns as Docker reads them: *, ?, **, [a-z], ! for exceptions",
                fix: "close the bracket, or write \\[ for the character itself",
            },
        ]);
    }
}
