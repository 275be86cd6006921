import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { RecipeError, renderIssues, type Issue } from "../../components/issue";
import { parseRecipe, type Recipe } from "../../components/recipe";

/** Recipes with known outcomes. */
export const fixtures = path.join(__dirname, "../fixtures/recipes");

/** Texts of all recipes of a folder, by name without `.toml`. */
export function recipesOf(folder: string): readonly (readonly [name: string, text: string])[] {
    return readdirSync(path.join(fixtures, folder))
        .filter((file) => file.endsWith(".toml"))
        .toSorted()
        .map((file) => [
            file.slice(0, -5),
            readFileSync(path.join(fixtures, folder, file), "utf8"),
        ]);
}

/** What became of a text: a recipe, or the issues that were thrown. */
export function outcome(
    text: string,
    file = "recipe.toml",
): { recipe?: Recipe; issues: readonly Issue[] } {
    try {
        const recipe = parseRecipe(text, file);
        return { recipe, issues: recipe.warnings };
    } catch (error) {
        if (error instanceof RecipeError) return { issues: error.issues };
        throw error;
    }
}

/** What a user reads. */
export const page = (text: string, file?: string): string =>
    `${renderIssues(outcome(text, file).issues)}\n`;

/** `code@line` of every error. */
export const errorsOf = (text: string): readonly string[] =>
    outcome(text)
        .issues.filter(({ severity }) => severity === "error")
        .map(({ code, line = 0 }) => `${code}@${String(line)}`);

/** A small valid recipe; `args` are its arguments as TOML items, `rest` stands below them. */
export function recipe({ args = "", top = "", rest = "" }): string {
    return `engine = "vllm"
name = "t"
docker_image = "img:local"
model = "org/m"
model_revision = "0123456789abcdef0123456789abcdef01234567"
required_nodes = 2
tensor_parallel_size = 2
${top}
args = [${args}]
${rest}
`;
}

/** Compares a text with a golden file; UPDATE_GOLDENS=1 writes it, to be read before it is committed. */
export function expectGolden(file: string, text: string): void {
    const golden = path.join(fixtures, file);
    if (process.env["UPDATE_GOLDENS"] === "1") writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, "utf8"));
}
