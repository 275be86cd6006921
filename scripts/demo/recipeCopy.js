const fs = require("node:fs");
const path = require("node:path");

/** A recipe's text for another number of nodes, one rank each. @throws {Error} when a key is not there exactly once */
function forNodes(text, nodes) {
    return ["required_nodes", "tensor_parallel_size"].reduce(
        (now, key) =>
            replaceOnce(now, new RegExp(`^${key} = \\d+$`, "gm"), `${key} = ${String(nodes)}`),
        text,
    );
}

/** A recipe's text with another value of one flag. @throws {Error} when the flag is not there exactly once */
function withFlag(text, flag, value) {
    return replaceOnce(text, new RegExp(`"${flag}", "[^"]*"`, "g"), `"${flag}", "${value}"`);
}

function replaceOnce(text, pattern, replacement) {
    const found = text.match(pattern) ?? [];
    if (found.length !== 1) {
        throw new Error(`${pattern.source}: ${String(found.length)} times in the recipe, not once`);
    }
    return text.replace(pattern, () => replacement);
}

/** Writes a recipe below a folder, under the recipe's own name. @returns {string} the file */
function writeRecipe(folder, recipe, text) {
    const file = path.join(folder, recipe, "recipe.toml");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
}

module.exports = { forNodes, withFlag, writeRecipe };
