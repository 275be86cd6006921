// Writes docs/recipe-reference.md and docs/recipe.schema.json from the schema of recipes.
const fs = require("node:fs");
const path = require("node:path");

const root = path.dirname(__dirname);
const { outputFiles } = require("esbuild").buildSync({
    entryPoints: [path.join(root, "components/recipe/schema/reference.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
});
const loaded = { exports: {} };
new Function("module", "exports", "require", outputFiles[0].text)(loaded, loaded.exports, require);
const { recipeReference, recipeJsonSchema } = loaded.exports;
const write = (name, text) => fs.writeFileSync(path.join(root, "docs", name), text);
write("recipe-reference.md", recipeReference());
write("recipe.schema.json", `${JSON.stringify(recipeJsonSchema(), null, 2)}\n`);
