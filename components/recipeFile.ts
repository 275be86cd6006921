import { existsSync, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { RecipeError } from "./issue";
import { nearest } from "./recipe";

function names(folder: string): readonly string[] {
    return existsSync(folder)
        ? readdirSync(folder)
              .filter((name) => existsSync(join(folder, name, "recipe.toml")))
              .toSorted()
        : [];
}

/** As the user would type it: from the current directory, when the file lies below it. */
function shown(file: string): string {
    const short = relative(process.cwd(), file);
    return short.startsWith("..") || isAbsolute(short) ? file : short;
}

/**
 * The file of a recipe: a folder's name under recipes/, a folder or a file. Relative to the project when the name is.
 *
 * Throws RecipeError (bad-config) with the nearest names when there is none.
 */
export function findRecipe(project: string, name: string): string {
    const candidates = [name, join(name, "recipe.toml"), join("recipes", name, "recipe.toml")];
    for (const candidate of candidates) {
        const file = isAbsolute(candidate) ? candidate : join(project, candidate);
        if (statSync(file, { throwIfNoEntry: false })?.isFile()) return shown(file);
    }
    const known = names(join(project, "recipes"));
    const best = nearest(name, known);
    throw new RecipeError([
        {
            code: "bad-config",
            severity: "error",
            path: "recipe",
            problem: `no recipe "${name}"`,
            expected: `one of recipes/: ${known.join(", ") || "none there"}; or a path`,
            ...(best === undefined ? {} : { fix: `did you mean ${best}?` }),
        },
    ]);
}
