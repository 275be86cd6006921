import { readFileSync } from "node:fs";
import * as path from "node:path";
import { parseRecipe } from "../../components/recipe";
import { seedRecipe } from "./seed";

test("the recipe's parser and a plain reading of the seed agree, so the golden plan is the real one", () => {
    const file = "recipes/dsv4-flash-vision/recipe.toml";
    const text = readFileSync(path.join(__dirname, "../..", file), "utf8");
    const parsed = parseRecipe(text, file);
    expect({ ...parsed, warnings: [] }).toEqual({ ...seedRecipe(), warnings: [] });
});
