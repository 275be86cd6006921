const fs = require("node:fs");
const { SourceMap } = require("node:module");
const path = require("node:path");

const frame = /(\/[^\s()]*\/dist\/\w+\.js):(\d+):(\d+)/g;

/** The stack with places in the sources instead of in dist/. */
function inSources(stack) {
    return stack.replace(frame, (place, file, line, column) => {
        const map = `${file}.map`;
        if (!fs.existsSync(map)) return place;
        const found = new SourceMap(JSON.parse(fs.readFileSync(map, "utf8"))).findEntry(
            Number(line) - 1,
            Number(column) - 1,
        );
        if (found.originalSource === undefined) return place;
        const source = path.resolve(path.dirname(file), found.originalSource);
        return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    });
}

/**
 * Stacks as V8 writes them; only that of a bug, which ends the program, is led back to the sources.
 *
 * Pulumi takes a stack for each resource, and the library that it installs would look up every frame of it in the
 * sources' maps: 0.7 s of a preview.
 */
function plainStacks() {
    Error.prepareStackTrace = undefined;
    for (const event of ["uncaughtException", "unhandledRejection"]) {
        process.prependListener(event, (error) => {
            if (typeof error?.stack === "string") error.stack = inSources(error.stack);
        });
    }
}

module.exports = { plainStacks };
