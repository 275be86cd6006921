const fs = require("node:fs");
const path = require("node:path");

const { loadSource } = require("../loadSource.js");
const { changeLines, replacementLines } = require("../engine/events.js");
const { root } = require("./processes.js");
const { withFlag, writeRecipe } = require("./recipeCopy.js");

const stack = "spark";

/**
 * What can be shown without an engine and without Docker: the plan of the example stack, and what a changed recipe
 * would replace, in the preview's words.
 * @param {import("./page.js").Page} page
 * @param {import("./show.js").Show} show
 * @param {string} folder for the changed recipe
 */
async function showPlans(page, show, folder) {
    const { planOfStack } = loadSource("cli/stackPlan.ts");
    const { planPage } = loadSource("cli/planPage.ts");
    const { describeReplacement, summariseRanks } = loadSource("components/plan/index.ts");
    page.section(`The plan of ${show.recipe}`);
    const plan = planOfStack(stack, show.recipe);
    const [head] = (await planPage(plan)).split("\n\nrank");
    page.text(...head.split("\n"), "", `all of it: npm run spark -- plan --stack ${stack}`);

    const { flag, value } = show.change;
    page.section(`What ${flag} ${value} would change`);
    const text = fs.readFileSync(path.join(root, "recipes", show.recipe, "recipe.toml"), "utf8");
    const changed = planOfStack(
        stack,
        writeRecipe(folder, show.recipe, withFlag(text, flag, value)),
    );
    const before = { ranks: summariseRanks(plan), group: plan.group, boots: [] };
    const ranks = new Map(changed.nodes.map(({ names }) => [names.rank, "replace"]));
    page.text(
        ...changeLines(
            ranks,
            changed.nodes.map(({ name }) => name),
        ),
        ...replacementLines(describeReplacement(changed, before)),
    );
}

module.exports = { showPlans };
