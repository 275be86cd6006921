const path = require("node:path");

/** The exports of a TypeScript source of this project, compiled in memory; for the generators of docs/. */
function loadSource(file) {
    const { outputFiles } = require("esbuild").buildSync({
        entryPoints: [path.join(path.dirname(__dirname), file)],
        bundle: true,
        platform: "node",
        format: "cjs",
        write: false,
    });
    const loaded = { exports: {} };
    const run = new Function("module", "exports", "require", outputFiles[0].text);
    run(loaded, loaded.exports, require);
    return loaded.exports;
}

module.exports = { loadSource };
