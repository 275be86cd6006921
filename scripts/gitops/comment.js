const { changeLines, changesOf, replacement } = require("../engine/events.js");

/**
 * @typedef {object} Recipes
 * @property {boolean} valid
 * @property {string} text what `spark check` said
 *
 * @typedef {object} Preview
 * @property {string} stack
 * @property {readonly { op: string, urn: string }[]} steps
 * @property {readonly { severity: string, message: string }[]} diagnostics
 * @property {string} [problem] why there is no preview
 */

/**
 * The comment on a change request: what would happen to the ranks, each changed value, every change.
 * @param {Recipes} recipes
 * @param {Preview} [preview] absent: recipes alone
 */
function commentOf(recipes, preview) {
    const parts = [
        ...(preview === undefined ? ["### Recipes checked"] : previewPart(preview)),
        ...(recipes.valid ? ["All recipes are valid."] : ["**Not every recipe is valid:**"]),
        fenced(recipes.valid ? warningsOnly(recipes.text) : recipes.text),
    ];
    return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}

function previewPart({ stack, steps, diagnostics, problem }) {
    if (problem !== undefined) return [`### Stack \`${stack}\`: no preview`, fenced(problem)];
    const events = [
        ...steps.map(({ op, urn }) => ({ resourcePreEvent: { metadata: { op, urn } } })),
        ...diagnostics.map((diagnosticEvent) => ({ diagnosticEvent })),
    ];
    const changes = changesOf(events);
    const [cost, ...values] = replacement(events);
    return [
        `### Stack \`${stack}\`: ${headline(changes)}`,
        cost === undefined ? undefined : `${cost[0].toUpperCase()}${cost.slice(1)}.`,
        values.length === 0 ? undefined : fenced(values.join("\n")),
        changes.size === 0 ? undefined : allChanges(changes, nodesOf(steps)),
    ];
}

function headline(changes) {
    const ranks = (op) =>
        [...changes].filter(([name, is]) => name.endsWith("-rank") && is === op).length;
    const said = [
        ["replaces", ranks("replace")],
        ["creates", ranks("create")],
        ["removes", ranks("delete")],
    ]
        .filter(([, count]) => count > 0)
        .map(([verb, count]) => `${verb} ${String(count)} rank${count === 1 ? "" : "s"}`);
    if (said.length > 0) return said.join(", ");
    return changes.size === 0 ? "no change" : "no rank is replaced";
}

function allChanges(changes, nodes) {
    const lines = fenced(changeLines(changes, nodes).join("\n"));
    return `<details><summary>${String(changes.size)} resources change</summary>\n\n${lines}\n\n</details>`;
}

const nodesOf = (steps) => [
    ...new Set(
        steps
            .filter(({ urn }) => urn.split("::").at(-2).endsWith("spark-vllm:index:Node"))
            .map(({ urn }) => urn.split("::").at(-1)),
    ),
];

/** Valid recipes may have warnings; without any there is nothing more to say. */
const warningsOnly = (text) => (/ warning: /.test(text) ? text : undefined);

// Longer than any fence inside: a recipe's text comes from the change request.
function fenced(text) {
    if (text === undefined) return undefined;
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
    const fence = "`".repeat(longest + 1);
    return `${fence}text\n${text}\n${fence}`;
}

module.exports = { commentOf };
