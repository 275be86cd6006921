const path = require("node:path");

const loaded = new Map();

/** The exports of a TypeScript source of this project, compiled in memory; for the generators of docs/ and the demo. */
function loadSource(file) {
    if (!loaded.has(file)) loaded.set(file, compile(file));
    return loaded.get(file);
}

function compile(file) {
    const { outputFiles } = require("esbuild").buildSync({
        entryPoints: [path.join(path.dirname(__dirname), file)],
        bundle: true,
        platform: "node",
        format: "cjs",
        loader: { ".sh": "text" },
        write: false,
    });
    const compiled = { exports: {} };
    const run = new Function("module", "exports", "require", outputFiles[0].text);
    run(compiled, compiled.exports, require);
    return compiled.exports;
}

module.exports = { loadSource };
