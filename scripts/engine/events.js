/**
 * Reads the engine's events into what the demo shows. Pure.
 * @typedef {import("@pulumi/pulumi/automation").EngineEvent} EngineEvent
 */

const quiet = ["same", "read", "refresh"];
const verbs = { create: "created", delete: "deleted" };
const symbols = { create: "+", delete: "-", update: "~", replace: "+-" };

const nameOf = (urn) => urn.split("::").at(-1);
const typeOf = (urn) => urn.split("::").at(-2).split("$").at(-1);

// The engine's own default providers and the stack itself are no resources of the program.
const isOurs = (urn) => !nameOf(urn).startsWith("default") && typeOf(urn) !== "pulumi:pulumi:Stack";

/** An operation's steps that change something: name -> create, update, replace or delete. */
function changesOf(events) {
    const changes = new Map();
    for (const { resourcePreEvent } of events) {
        const metadata = resourcePreEvent?.metadata;
        if (metadata === undefined || quiet.includes(metadata.op) || !isOurs(metadata.urn))
            continue;
        changes.set(
            nameOf(metadata.urn),
            metadata.op.includes("replace") ? "replace" : metadata.op,
        );
    }
    return changes;
}

/** Changes, a line for each node and kind of change, the group's own last. @param {readonly string[]} nodes */
function changeLines(changes, nodes) {
    const lines = new Map();
    for (const [name, op] of changes) {
        const node = nodes.find((each) => name === each || name.startsWith(`${each}-`));
        const key = `${symbols[op]} ${node ?? "group"}`;
        const part = node === undefined ? name : name.slice(node.length + 1) || "node";
        lines.set(key, [...(lines.get(key) ?? []), part]);
    }
    const order = (key) => [...nodes, "group"].indexOf(key.split(" ")[1]);
    return [...lines]
        .toSorted(([a], [b]) => order(a) - order(b))
        .map(([key, parts]) => {
            const [symbol, where] = key.split(" ");
            return `${symbol.padEnd(2)} ${where.padEnd(9)} ${parts.toSorted().join(", ")}`;
        });
}

/** What the program's preview says of the ranks: what it costs, then old and new values. @returns {readonly string[]} */
function replacement(events) {
    const [text] = events
        .map(({ diagnosticEvent }) => diagnosticEvent?.message ?? "")
        .filter((message) => /^replaces \d+ ranks/.test(message));
    return text === undefined ? [] : replacementLines(text);
}

/** The same of the program's own text. */
function replacementLines(text) {
    const [headline, ...values] = text.trimEnd().split("\n");
    return [headline.split("; ")[0], ...values.map((line) => line.trim())];
}

/** What one event of an update shows as progress; mostly nothing. @returns {readonly string[]} */
function progressOf({ resOutputsEvent, resOpFailedEvent, diagnosticEvent }) {
    if (resOpFailedEvent !== undefined) return [`${nameOf(resOpFailedEvent.metadata.urn)}  failed`];
    if (resOutputsEvent !== undefined) return stepOf(resOutputsEvent.metadata);
    if (diagnosticEvent?.severity !== "info") return [];
    // The long steps' own progress: `    2 s  spark-1  API started   spark-2  graphs 100 %`.
    return diagnosticEvent.message
        .split("\n")
        .flatMap((line) => /^ *\d+ s {2}(.*)$/.exec(line)?.[1].split(/ {3,}/) ?? []);
}

/** Images and containers; an image stays on its node when its resource is deleted. */
function stepOf({ op, urn }) {
    const type = typeOf(urn);
    const [verb] = op.split("-");
    const isShown =
        (type === "docker:index/container:Container" && ["create", "delete"].includes(verb)) ||
        (type === "docker:index/image:Image" && verb === "create");
    return isShown ? [`${nameOf(urn)}  ${verbs[verb]}`] : [];
}

/** The errors of a failed operation, whole. */
function errorsOf(events) {
    return events
        .filter(({ diagnosticEvent }) => diagnosticEvent?.severity === "error")
        .map(({ diagnosticEvent }) => diagnosticEvent.message.trimEnd());
}

/** How many warnings there are; the program says several in one message, their number at its end. */
function warningCount(events) {
    return events
        .filter(({ diagnosticEvent }) => diagnosticEvent?.severity === "warning")
        .map(({ diagnosticEvent: { message } }) =>
            Number(/(\d+) warnings?\.\s*$/.exec(message)?.[1] ?? 1),
        )
        .reduce((sum, count) => sum + count, 0);
}

module.exports = {
    changeLines,
    changesOf,
    errorsOf,
    progressOf,
    replacement,
    replacementLines,
    warningCount,
};
