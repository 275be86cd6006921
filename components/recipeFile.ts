import { readdirSync, readFileSync, statSync, type Stats } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { RecipeError, type Issue } from "./issue";
import { recipeNotFound } from "./recipe";

/** What stands at a path; undefined for whatever reason it cannot be seen, from a file in place of a folder to a loop. */
function look(file: string): Stats | undefined {
    try {
        return statSync(file, { throwIfNoEntry: false });
    } catch {
        return undefined;
    }
}

const isFile = (file: string) => look(file)?.isFile() === true;
const isFolder = (file: string) => look(file)?.isDirectory() === true;
const namesIn = (folder: string) => (isFolder(folder) ? readdirSync(folder).toSorted() : []);

/** As the user would type it: from the current directory, when the file lies below it. */
function shown(file: string): string {
    const short = relative(process.cwd(), file);
    return short.startsWith("..") || isAbsolute(short) ? file : short;
}

/** Names of the folders under recipes/ that hold a recipe. */
export function recipeNames(project: string): readonly string[] {
    const folder = join(project, "recipes");
    return namesIn(folder).filter((name) => isFile(join(folder, name, "recipe.toml")));
}

/** The file itself, or the recipe.toml of the folder. */
function fileAt(file: string): string | undefined {
    return [file, join(file, "recipe.toml")].find(isFile);
}

/**
 * The file of a recipe: a folder's name under recipes/, or a path to a folder or a file, from the project or absolute.
 *
 * Throws RecipeError (bad-config) with the nearest name when there is none.
 */
export function findRecipe(project: string, name: string): string {
    const file =
        (/[\\/]/.test(name) ? undefined : fileAt(resolve(project, "recipes", name))) ??
        fileAt(resolve(project, name));
    if (file === undefined) {
        const typed = isAbsolute(name) ? shown(name) : name;
        throw new RecipeError([recipeNotFound(typed, recipeNames(project))]);
    }
    return shown(file);
}

/** The recipes of a folder that is none itself: those of its folders, and its own .toml files. */
function recipesIn(folder: string): readonly string[] {
    return namesIn(folder).flatMap((name) => {
        const file = name.endsWith(".toml")
            ? join(folder, name)
            : join(folder, name, "recipe.toml");
        return isFile(file) ? [shown(file)] : [];
    });
}

/**
 * The files that a recipe's name or path, or a folder of recipes stands for.
 *
 * Throws RecipeError (bad-config) when there is none.
 */
export function findRecipes(project: string, name: string): readonly string[] {
    const folder = resolve(project, name);
    const files = isFolder(folder) && fileAt(folder) === undefined ? recipesIn(folder) : [];
    return files.length > 0 ? files : [findRecipe(project, name)];
}

function unreadable(file: string, problem: string, expected: string, fix?: string): RecipeError {
    const issue: Issue = {
        code: "bad-config",
        severity: "error",
        file,
        path: "",
        problem,
        expected,
    };
    return new RecipeError([fix === undefined ? issue : { ...issue, fix }]);
}

/** A recipe's text. Throws RecipeError when the file cannot be read or is no UTF-8. */
export function readRecipe(file: string): string {
    let bytes: Buffer;
    try {
        bytes = readFileSync(file);
    } catch (error) {
        const { code = "" } = error as NodeJS.ErrnoException;
        throw unreadable(file, `cannot be read (${code})`, "a readable file");
    }
    try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
        const wide = bytes[0] === 0xff || bytes[0] === 0xfe || bytes.includes(0);
        const problem = wide ? "saved as UTF-16, or no text" : "holds bytes that are no UTF-8";
        throw unreadable(file, problem, "a text file in UTF-8", "save it as UTF-8");
    }
}
