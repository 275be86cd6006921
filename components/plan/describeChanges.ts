import type { RankSummary } from "./rankSummary";

/** One thing of one rank, before and after; undefined: not there. */
interface Change {
    readonly rank: number;
    readonly what: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
}

/**
 * What a change of the plan does to the ranks, a line an item: `--max-num-seqs: 2 -> 4 (all ranks)`.
 *
 * Preview itself prints only the names of changed inputs (facts.md), so the program says the values.
 */
export function describeChanges(
    before: readonly RankSummary[],
    after: readonly RankSummary[],
): readonly string[] {
    const ranks = [...new Set([...before, ...after].map(({ rank }) => rank))].toSorted(
        (a, b) => a - b,
    );
    const changes = ranks.flatMap((rank) => {
        const old = itemsOf(before.find((summary) => summary.rank === rank));
        const next = itemsOf(after.find((summary) => summary.rank === rank));
        return [...new Set([...old.keys(), ...next.keys()])]
            .filter((what) => old.get(what) !== next.get(what))
            .map((what) => ({ rank, what, before: old.get(what), after: next.get(what) }));
    });
    return merge(changes, ranks.length);
}

/** The same change of several ranks is one line. */
function merge(changes: readonly Change[], ranks: number): readonly string[] {
    const lines = new Map<string, number[]>();
    for (const { rank, what, before, after } of changes) {
        const line = `${what}: ${before ?? "(none)"} -> ${after ?? "(none)"}`;
        lines.set(line, [...(lines.get(line) ?? []), rank]);
    }
    return [...lines].map(([line, of]) => {
        if (of.length === ranks && ranks > 1) return `${line} (all ranks)`;
        return `${line} (rank ${of.map(String).join(", ")})`;
    });
}

function itemsOf(summary: RankSummary | undefined): ReadonlyMap<string, string> {
    const items = new Map<string, string>();
    if (summary === undefined) return items;
    items.set("node", summary.node);
    items.set("image", summary.image);
    // Summaries of earlier versions have fewer fields, and what they lack is no change.
    set(items, "host", summary.host);
    set(items, "container", summary.container);
    set(items, "platform", summary.platform);
    set(items, "fabric", summary.fabric);
    set(items, "shm_size", summary.shmMegabytes && `${String(summary.shmMegabytes)} MiB`);
    for (const [flag, value] of flagsOf(summary.command)) items.set(flag, value);
    for (const [name, value] of Object.entries(summary.env)) items.set(name, value);
    if (summary.apiKey === true) items.set("API key", "[secret]");
    for (const mount of summary.mounts) items.set(`mount ${mount}`, "present");
    return items;
}

function set(items: Map<string, string>, what: string, value: string | number | undefined): void {
    if (value !== undefined) items.set(what, String(value));
}

/** Splits an argv into flags with all their values; what stands before the first flag is the command. */
function flagsOf(command: readonly string[]): ReadonlyMap<string, string> {
    const flags = new Map<string, string[]>();
    let current = "command";
    for (const word of command) {
        if (word.startsWith("--")) {
            current = word.split("=", 1)[0] ?? word;
            const [, ...value] = word.split("=");
            flags.set(current, [
                ...(flags.get(current) ?? []),
                ...(value.length > 0 ? [value.join("=")] : []),
            ]);
        } else {
            flags.set(current, [...(flags.get(current) ?? []), word]);
        }
    }
    return new Map(
        [...flags].map(([flag, words]) => [flag, words.length === 0 ? "on" : words.join(" ")]),
    );
}
