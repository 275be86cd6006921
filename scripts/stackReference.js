// Writes docs/stack-reference.md from the schema of the stack's configuration (components/cluster/reference.ts).
const fs = require("node:fs");
const path = require("node:path");

const root = path.dirname(__dirname);
const { outputFiles } = require("esbuild").buildSync({
    entryPoints: [path.join(root, "components/cluster/reference.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
});
const loaded = { exports: {} };
new Function("module", "exports", "require", outputFiles[0].text)(loaded, loaded.exports, require);
fs.writeFileSync(path.join(root, "docs/stack-reference.md"), loaded.exports.stackReference());
