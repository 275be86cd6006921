// One bundle an entry point: the program starts without a type check (`npm run types` makes it) and loads one file
// instead of a hundred. The compiled files are never committed; a stale one is noticed here and made anew.
const fs = require("node:fs");
const path = require("node:path");

const root = path.dirname(__dirname);
const dist = path.join(root, "dist");
const entries = {
    index: "index.ts",
    spark: "cli/main.ts",
    host: "components/host/main.ts",
};
const sources = ["index.ts", "components", "cli", "scripts/bundle.js", "package.json"];

/** Newest modification time (ms) of the sources, or of one file or folder. */
function newest(file) {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return 0;
    if (!stat.isDirectory()) return stat.mtimeMs;
    const times = fs.readdirSync(file).map((name) => newest(path.join(file, name)));
    return Math.max(stat.mtimeMs, ...times);
}

function build() {
    const started = Date.now();
    const { outputFiles } = require("esbuild").buildSync({
        entryPoints: Object.fromEntries(
            Object.entries(entries)
                .map(([name, file]) => [name, path.join(root, file)])
                .filter(([, file]) => fs.existsSync(file)),
        ),
        outdir: dist,
        bundle: true,
        platform: "node",
        target: "node20",
        format: "cjs",
        sourcemap: "linked",
        // Loaded from node_modules: large, with native or generated parts of their own.
        external: ["@pulumi/*"],
        loader: { ".sh": "text", ".py": "text" },
        logLevel: "error",
        write: false,
    });
    fs.mkdirSync(dist, { recursive: true });
    // Each file is moved into place whole: a step of a running `up` may load it at this moment.
    for (const { path: file, contents } of outputFiles) {
        const fresh = `${file}.${String(process.pid)}`;
        fs.writeFileSync(fresh, contents);
        fs.renameSync(fresh, file);
    }
    // The stamp is older than the build, so that an edit during it is not missed.
    fs.writeFileSync(path.join(dist, ".built"), "");
    fs.utimesSync(path.join(dist, ".built"), started / 1000, started / 1000);
}

/** Whether no source is newer than the last build. */
function isFresh() {
    const stamp = fs.statSync(path.join(dist, ".built"), { throwIfNoEntry: false });
    return (
        stamp !== undefined &&
        sources.every((source) => newest(path.join(root, source)) <= stamp.mtimeMs)
    );
}

/** Loads dist/<name>.js, compiled anew first when any source is newer than the last build. */
function load(name) {
    if (!isFresh()) build();
    return require(path.join(dist, `${name}.js`));
}

module.exports = { build, isFresh, load };
