import { spellings, type Spelling } from "./flagTable";

/** What a word that begins with a dash is to the engine's parser. */
export type Found =
    | (Spelling & {
          readonly kind: "flag";
          /** What follows in the same word: `--flag=value`, `-n2`. */
          readonly attached?: string;
          /** Keys behind dots: `--speculative-config.method`. */
          readonly keys: readonly string[];
      })
    | { readonly kind: "ambiguous"; readonly names: readonly string[] }
    | { readonly kind: "unknown"; readonly name: string; readonly attached?: string }
    | { readonly kind: "value" };

/** The parser takes underscores in a long name for dashes, up to the first dot. */
export function dashed(name: string): string {
    if (!name.startsWith("--")) return name;
    const [head = "", ...keys] = name.split(".");
    return [head.replaceAll("_", "-"), ...keys].join(".");
}

/** A long name, or its beginning when only one begins so. */
function byName(name: string): readonly string[] {
    if (spellings.has(name)) return [name];
    return [...spellings.keys()].filter((spelling) => spelling.startsWith(name));
}

/** A short name with its value behind it, as `-n2`, besides the beginnings of longer ones. */
function byShortName(word: string): Found | undefined {
    const spelling = spellings.get(word.slice(0, 2));
    if (spelling === undefined || word.startsWith("--")) return undefined;
    return { kind: "flag", ...spelling, attached: word.slice(2), keys: [] };
}

function split(word: string): { readonly name: string; readonly attached?: string } {
    const index = word.indexOf("=");
    return index < 0
        ? { name: word }
        : { name: word.slice(0, index), attached: word.slice(index + 1) };
}

/** `-O3` and `-O=3` are --optimization-level; no flag of the table begins so. */
function optimization(word: string): Found | undefined {
    const level = /^-O=?(.+)$/.exec(word)?.[1];
    const spelling = spellings.get("--optimization-level");
    return level === undefined || spelling === undefined
        ? undefined
        : { kind: "flag", ...spelling, attached: level, keys: [] };
}

/** Reads one word as the engine's own parser does (argparse with its additions). */
export function findFlag(word: string): Found {
    if (!word.startsWith("-") || word === "-" || /^-\d+$/.test(word)) return { kind: "value" };
    // The engine takes the dot of -0.5 for that of --flag.key, and trips over it.
    if (/^-\d*\.\d+$/.test(word)) return { kind: "unknown", name: word };
    const level = optimization(word);
    if (level !== undefined) return level;
    const { name: typed, attached } = split(word);
    const [base = "", ...keys] = dashed(typed).split(".");
    const rest = { ...(attached === undefined ? {} : { attached }), keys };
    if (base === "--") return { kind: "unknown", name: base };
    // A short name with `=` is written in full, or it is none.
    const mayBegin = base.startsWith("--") || attached === undefined;
    const names = mayBegin ? byName(base) : spellings.has(base) ? [base] : [];
    const [only] = names;
    const spelling = names.length === 1 && only !== undefined ? spellings.get(only) : undefined;
    if (spelling !== undefined) return { kind: "flag", ...spelling, ...rest };
    if (names.length > 1) return { kind: "ambiguous", names };
    const short = byShortName(word);
    if (short !== undefined) return short;
    if (typed.includes(" ")) return { kind: "value" };
    return { kind: "unknown", name: base, ...(attached === undefined ? {} : { attached }) };
}
