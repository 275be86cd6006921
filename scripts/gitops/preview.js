// The work of scripts/gitops/preview. Exit code 0: valid and previewed; 1: the comment says what is wrong.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const { commentOf } = require("./comment.js");

const root = path.dirname(path.dirname(__dirname));

function run(program, args) {
    const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: root,
        encoding: "utf8",
        maxBuffer: 256 * 1024 * 1024,
    });
    return { code: status ?? 1, stdout, stderr };
}

function checkRecipes() {
    const { code, stdout, stderr } = run("node", ["scripts/spark.js", "check", "recipes"]);
    return { valid: code === 0, text: `${stdout}${stderr}`.trimEnd() };
}

/** The engine's preview as data; its errors as text. */
function previewStack(stack) {
    const words = ["preview", "--json", "--non-interactive", "--color", "never", "--stack", stack];
    const { code, stdout, stderr } = run("scripts/pulumi", words);
    const found = readJson(stdout);
    const said = (found.diagnostics ?? [])
        .filter(({ severity }) => severity === "error")
        .map(({ message }) => message.trimEnd());
    const problem = said.length > 0 ? said.join("\n") : stderr.trimEnd() || "the preview failed";
    return {
        stack,
        steps: found.steps ?? [],
        diagnostics: found.diagnostics ?? [],
        ...(code === 0 ? {} : { problem }),
    };
}

function readJson(text) {
    try {
        return JSON.parse(text.slice(text.indexOf("{")));
    } catch {
        return {};
    }
}

function main(words) {
    const [stack = process.env.SPARK_STACK || "spark"] = words.filter((w) => !w.startsWith("--"));
    const recipes = checkRecipes();
    const preview = words.includes("--recipes-only") ? undefined : previewStack(stack);
    const comment = commentOf(recipes, preview);
    const { COMMENT_FILE: file } = process.env;
    if (file) fs.writeFileSync(file, comment);
    process.stdout.write(comment);
    process.exitCode = recipes.valid && preview?.problem === undefined ? 0 : 1;
}

main(process.argv.slice(2));
