import { readFileSync } from "node:fs";
import * as path from "node:path";
import { recipeJsonSchema, recipeReference } from "../../components/recipe/schema/reference";

const doc = (name: string) => readFileSync(path.join(__dirname, "../../docs", name), "utf8");

test("page and editors' schema are those of the schema: else `node scripts/recipeReference.js`", () => {
    expect(doc("recipe-reference.md")).toBe(recipeReference());
    expect(JSON.parse(doc("recipe.schema.json"))).toEqual(recipeJsonSchema());
});
