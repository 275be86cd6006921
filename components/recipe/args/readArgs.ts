import { findFlag } from "./findFlag";
import type { Flag } from "./flagTable";

/** A word and its index in the recipe's args; undefined when the item is no string. */
export interface Word {
    readonly index: number;
    readonly text: string | undefined;
}

/** A flag with its values, as the engine's parser would take them. */
export interface Given {
    readonly index: number;
    /** The name as typed, without a value. */
    readonly typed: string;
    /** Undefined: this version of the engine does not know it. */
    readonly flag?: Flag;
    /** The long name with dashes; of an unknown flag what was typed. */
    readonly name: string;
    /** Switched off by `--no-…`. */
    readonly off: boolean;
    readonly keys: readonly string[];
    /** In the same word or the next ones. */
    readonly values: readonly Word[];
    /** The value stands behind `=`, or behind a short name, in the flag's own word. */
    readonly attached: boolean;
    /** Several known flags begin like this. */
    readonly candidates: readonly string[];
}

/** Arguments as the engine reads them. */
export interface Arguments {
    readonly given: readonly Given[];
    /** Words that belong to no flag, with the flag they follow. */
    readonly stray: readonly { readonly word: Word; readonly after?: Given }[];
}

/** A known flag and something behind it in one item: the parser takes it for a value, no person means one. */
function holdsFlag(text: string): boolean {
    const first = /^-\S+(?=\s)/.exec(text)?.[0];
    return first !== undefined && findFlag(first).kind === "flag";
}

function isValue({ text }: Word): boolean {
    return text === undefined || (findFlag(text).kind === "value" && !holdsFlag(text));
}

/** How many of the words behind a flag it takes. */
function taken(
    flag: Flag | undefined,
    following: readonly Word[],
    keys: readonly string[],
): number {
    const first = following.findIndex((word) => !isValue(word));
    const available = first < 0 ? following.length : first;
    // The arity of a flag that only the image's engine knows is unknown: it may have all of them.
    if (flag === undefined) return available;
    if (keys.length > 0) return Math.min(1, following.length);
    switch (flag.kind) {
        case "switch":
        case "switch-no":
        case "help":
            return 0;
        case "list":
            return available;
        default:
            return Math.min(1, available);
    }
}

/** The engine's own words for one level of optimization in two words: `-O 3`. */
function spelled(words: readonly Word[], i: number): string {
    const text = words[i]?.text ?? "";
    return text === "-O" && /^[0-3]$/.test(words[i + 1]?.text ?? "")
        ? "--optimization-level"
        : text;
}

function readFlag(words: readonly Word[], i: number): { given: Given; next: number } | undefined {
    const text = spelled(words, i);
    const found = findFlag(text);
    if (found.kind === "value" || words[i]?.text === undefined) return undefined;
    const isKnown = found.kind === "flag";
    const flag = isKnown ? found.flag : undefined;
    const keys = isKnown ? found.keys : [];
    const attached = found.kind === "ambiguous" ? undefined : found.attached;
    const following = words.slice(i + 1);
    const count = attached === undefined ? taken(flag, following, keys) : 0;
    const typed = attached === undefined ? text : text.slice(0, text.length - attached.length);
    const given: Given = {
        index: i,
        typed: typed.replace(/=$/, ""),
        ...(flag === undefined ? {} : { flag }),
        name: flag?.name ?? (found.kind === "unknown" ? found.name : text),
        off: isKnown && found.off,
        keys,
        values: attached === undefined ? following.slice(0, count) : [{ index: i, text: attached }],
        attached: attached !== undefined,
        candidates: found.kind === "ambiguous" ? found.names : [],
    };
    return { given, next: i + 1 + count };
}

/** Groups words into flags with their values. Decides nothing about right and wrong. */
export function readArgs(args: readonly (string | undefined)[]): Arguments {
    const words = args.map((text, index): Word => ({ index, text }));
    const given: Given[] = [];
    const stray: { word: Word; after?: Given }[] = [];
    let i = 0;
    while (i < words.length) {
        const read = readFlag(words, i);
        const word = words[i];
        if (read !== undefined) {
            given.push(read.given);
            i = read.next;
        } else {
            const after = given.at(-1);
            if (word?.text !== undefined)
                stray.push({ word, ...(after === undefined ? {} : { after }) });
            i += 1;
        }
    }
    return { given, stray };
}
