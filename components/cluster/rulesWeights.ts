import type { HubFacts, SnapshotFacts } from "./facts";
import { awaitsMount } from "./awaitsMount";
import { missing } from "./missingWeights";
import {
    type Context,
    type Finding,
    finding,
    gib,
    nothing,
    type Rule,
    warning,
} from "./rulesContext";

const mountFaults = ["mount-answers", "nas-mounted", "mount-readable", "mount-exists"];

/** A rule over the model's folder in the hub. */
function hubRule(
    id: string,
    after: readonly string[],
    check: (hub: HubFacts, context: Context) => readonly Finding[],
): Rule {
    return {
        id,
        after: [...mountFaults, ...after],
        check: (context) =>
            context.facts.hub === undefined || awaitsMount(context)
                ? nothing
                : check(context.facts.hub, context),
    };
}

const present = hubRule("weights-present", [], ({ state, folder }, context) => {
    const expected = `${context.plan.model.id} in the hub's layout`;
    switch (state) {
        case "present":
            return nothing;
        case "hung":
            return finding("nas", `${folder} does not answer within 5 s`, expected);
        case "misplaced":
            return finding(
                "weights",
                `there is no ${folder}, but the model lies right below the hub's root`,
                expected,
                "the engine looks below hub/: set weights.path to the folder above",
            );
        case "missing":
            return missing(context, `there is no ${folder}`, expected);
        default:
            return state satisfies never;
    }
});

/** The library takes refs/main as it is: a newline becomes part of the folder's name (facts.md). */
const refsMain = hubRule("weights-refs", ["weights-present"], (hub, context) => {
    const file = `${hub.folder}/refs/main`;
    const pinned = context.plan.model.revision !== undefined;
    const expected = "the 40 digits of a downloaded revision, without a newline";
    const { main } = hub;
    if (main === undefined) {
        if (pinned) return nothing;
        if (context.plan.weights.prefetch) return missing(context, `there is no ${file}`, expected);
        return finding(
            "weights",
            `there is no ${file}, which an engine without a revision follows`,
            expected,
            "set model.revision in the stack's configuration",
        );
    }
    const bare = main.trim();
    const rewrite = bare === "" ? "the revision" : bare;
    const fix = `\`printf %s ${rewrite} > ${file}\` on the hub's machine`;
    if (bare === "") return finding("weights", `${file} is empty`, expected, fix);
    if (main.includes("\r")) {
        return finding("weights", `${file} ends with CRLF (U+000D U+000A)`, expected, fix);
    }
    if (main !== bare) {
        const what = main.includes("\n") ? "a newline (U+000A)" : "blanks";
        return finding("weights", `${file} holds ${what}`, expected, fix);
    }
    if (hub.snapshots.includes(bare)) return nothing;
    const found = missing(
        context,
        `${file} names ${bare}, which is not among the snapshots (${list(hub.snapshots)})`,
        expected,
    );
    // A pinned revision is served whatever main says; only what asks for main is astray.
    return pinned ? warning(found) : found;
});

const revision = hubRule("weights-revision", ["weights-present"], (hub, context) => {
    const wanted = context.plan.model.revision;
    if (wanted === undefined || hub.snapshots.includes(wanted)) return nothing;
    // Without a folder there is no snapshot either, which was told as a note.
    if (hub.state !== "present") return nothing;
    return missing(
        context,
        `there is no snapshot ${wanted} of ${context.plan.model.id}; there are ${list(hub.snapshots)}`,
        "the pinned revision",
    );
});

/** A rule over the files of the snapshot that will be served. */
function snapshotRule(
    id: string,
    after: readonly string[],
    check: (snapshot: SnapshotFacts, context: Context, folder: string) => readonly Finding[],
): Rule {
    const earlier = ["weights-present", "weights-refs", "weights-revision", ...after];
    return hubRule(id, earlier, ({ snapshot, folder }, context) =>
        snapshot === undefined
            ? nothing
            : check(snapshot, context, `${folder}/snapshots/${snapshot.revision}`),
    );
}

function list(names: readonly string[]): string {
    if (names.length === 0) return "none";
    const more = names.length > 3 ? ` and ${String(names.length - 3)} more` : "";
    return `${names.slice(0, 3).join(", ")}${more}`;
}

/** The shards of the index, or without one the weights that are there. */
function shardsOf({ shards, names }: SnapshotFacts): readonly string[] {
    return shards.length > 0 ? shards : names.filter((name) => name.endsWith(".safetensors"));
}

const shards = snapshotRule("weights-shards", [], (snapshot, context, folder) => {
    const all = shardsOf(snapshot);
    const expected = "every shard of the index";
    if (all.length === 0) {
        return missing(context, `${folder} holds no safetensors`, expected);
    }
    const absent = all.filter((name) => !snapshot.names.includes(name));
    if (absent.length === 0) return nothing;
    const count = `${String(absent.length)} of ${String(all.length)} shards`;
    return missing(context, `${count} are missing in ${folder}: ${list(absent)}`, expected);
});

const links = snapshotRule("weights-links", [], (snapshot, context, folder) => {
    const broken = snapshot.names.filter((name) => snapshot.sizes[name] === undefined);
    if (broken.length === 0) return nothing;
    return missing(
        context,
        `${String(broken.length)} links of ${folder} lead nowhere: ${list(broken)}`,
        "links into the hub's blobs folder; a copied snapshot needs its blobs, or real files",
    );
});

/** A cut download shows in a shard itself: its header says how long it is. */
const whole = snapshotRule("weights-whole", ["weights-links"], (snapshot, context, folder) => {
    const { sizes, wants } = snapshot;
    const cut = shardsOf(snapshot).filter(
        (name) =>
            sizes[name] !== undefined && wants[name] !== undefined && sizes[name] !== wants[name],
    );
    const [first = ""] = cut;
    if (cut.length === 0) return nothing;
    return missing(
        context,
        `${String(cut.length)} shards in ${folder} are not whole: ${first} has ${String(sizes[first])} bytes, its header says ${String(wants[first])}`,
        "whole shards: a download was cut off",
    );
});

const size = snapshotRule(
    "weights-size",
    ["weights-shards", "weights-links", "weights-whole"],
    (found, context) => {
        const { totalSize, sizes } = found;
        // Told already, as a note, where the prefetch will mend it.
        if (shardsOf(found).some((name) => sizes[name] === undefined)) return nothing;
        const bytes = shardsOf(found).reduce((sum, name) => sum + (sizes[name] ?? 0), 0);
        // Each shard has a header besides its tensors, so whole weights are never smaller than the index says.
        if (totalSize === undefined || bytes >= totalSize) return nothing;
        return missing(
            context,
            `the shards hold ${gib(bytes)}, the index says ${gib(totalSize)} (${String(bytes)} of ${String(totalSize)} bytes)`,
            "whole shards: a download was cut off",
        );
    },
);

export const weightsRules: readonly Rule[] = [
    present,
    refsMain,
    revision,
    shards,
    links,
    whole,
    size,
];
