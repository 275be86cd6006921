import { existsSync } from "node:fs";
import * as path from "node:path";
import type { Command } from "commander";
import { RecipeError, renderIssues, type Issue } from "../components/issue";
import { parseRecipe } from "../components/recipe";
import { findRecipes, readRecipe, recipeNames } from "../components/recipeFile";
import { issuesJson } from "./printIssues";
import { projectRoot, typedIn } from "./projectRoot";

/** What a step that may find the user's mistakes found; its result where it found none. */
function issuesOf(step: () => readonly Issue[]): readonly Issue[] {
    try {
        return step();
    } catch (error) {
        if (error instanceof RecipeError) return error.issues;
        throw error;
    }
}

const checkFile = (file: string) => issuesOf(() => parseRecipe(readRecipe(file), file).warnings);

/** The files meant: of a name that a recipe has that one, else what lies there from where the user is. */
function filesOf(name: string): readonly string[] {
    const root = projectRoot(process.cwd());
    const there = path.resolve(typedIn(root), name);
    const isName = recipeNames(root).includes(name) || !existsSync(there);
    return findRecipes(root, isName ? name : there);
}

/** Recipes are valid or not by themselves, without a stack, an engine or a node. */
function check(name: string, { json = false }: { readonly json?: boolean }): void {
    let files: readonly string[] = [];
    const lost = issuesOf(() => {
        files = filesOf(name);
        return [];
    });
    const issues = [...lost, ...files.flatMap(checkFile)];
    const failed = issues.some(({ severity }) => severity === "error");
    if (json) process.stdout.write(`${issuesJson(issues)}\n`);
    else {
        const valid = `${files.join("\n")}${files.length === 1 ? " is" : "\nare"} valid.`;
        const texts = [renderIssues(issues), failed ? "" : valid].filter((text) => text !== "");
        process.stdout.write(`${texts.join("\n")}\n`);
    }
    process.exitCode = failed ? 1 : 0;
}

/** Adds `spark check`: exit code 0 when valid, 1 with issues. */
export function registerCheck(program: Command): void {
    program
        .command("check")
        .description("validate a recipe; needs no stack and contacts no node")
        .argument("<recipe>", "a folder under recipes/, a path to a recipe, or a folder of recipes")
        .option("--json", "issues as JSON")
        .action(check);
}
