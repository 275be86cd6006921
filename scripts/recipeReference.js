// Writes docs/recipe-reference.md and docs/recipe.schema.json from the schema of recipes.
const fs = require("node:fs");
const path = require("node:path");

const { loadSource } = require("./loadSource.js");

const source = loadSource("components/recipe/schema/reference.ts");
const write = (name, text) =>
    fs.writeFileSync(path.join(path.dirname(__dirname), "docs", name), text);
write("recipe-reference.md", source.recipeReference());
write("recipe.schema.json", `${JSON.stringify(source.recipeJsonSchema(), null, 2)}\n`);
