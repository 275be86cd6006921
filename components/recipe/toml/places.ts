import type { AST } from "toml-eslint-parser";
import type { Path } from "../finding";

/** Where something stands in the text, from its first to its last character; lines and columns from 1. */
export interface Span {
    readonly line: number;
    readonly column: number;
    readonly endLine: number;
    /** The characters themselves. */
    readonly text: string;
}

/** Where each key and value of a recipe stands. */
export interface Places {
    readonly key: (path: Path) => Span | undefined;
    readonly value: (path: Path) => Span | undefined;
}

const idOf = (path: Path) => JSON.stringify(path);

/** Collects the spans while walking the syntax tree. */
class Collector {
    readonly keys = new Map<string, Span>();
    readonly values = new Map<string, Span>();

    constructor(private readonly text: string) {}

    private span({ loc, range }: AST.TOMLNode): Span {
        return {
            line: loc.start.line,
            column: loc.start.column + 1,
            endLine: loc.end.line,
            text: this.text.slice(...range),
        };
    }

    /** A dotted key has a place for each of its parts; the first place of a key counts. */
    key(key: AST.TOMLKey, base: Path): Path {
        return key.keys.reduce<Path>((path, part) => {
            const next = [...path, part.type === "TOMLBare" ? part.name : part.value];
            const id = idOf(next);
            if (!this.keys.has(id)) this.keys.set(id, this.span(part));
            return next;
        }, base);
    }

    table(table: AST.TOMLTable): void {
        this.key(table.key, []);
        const path = table.resolvedKey;
        // The header is the place of a `[[table]]` as a value: its keys may all be missing.
        if (!this.values.has(idOf(path))) this.values.set(idOf(path), this.span(table.key));
        if (!this.keys.has(idOf(path))) this.keys.set(idOf(path), this.span(table.key));
        for (const pair of table.body) this.pair(pair, path);
    }

    pair(pair: AST.TOMLKeyValue, base: Path): void {
        this.value(pair.value, this.key(pair.key, base));
    }

    value(node: AST.TOMLContentNode, path: Path): void {
        this.values.set(idOf(path), this.span(node));
        if (node.type === "TOMLArray") {
            for (const [i, element] of node.elements.entries()) this.value(element, [...path, i]);
        } else if (node.type === "TOMLInlineTable") {
            for (const pair of node.body) this.pair(pair, path);
        }
    }
}

const nowhere: Places = { key: () => undefined, value: () => undefined };

/** Reads a text once more for the places of its keys and values; smol-toml keeps none. */
export function findPlaces(text: string): Places {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only a recipe with issues needs it
    const lib = require("toml-eslint-parser") as typeof import("toml-eslint-parser");
    const collector = new Collector(text);
    try {
        for (const node of lib.parseTOML(text, { tomlVersion: "next" }).body[0].body) {
            if (node.type === "TOMLTable") collector.table(node);
            else collector.pair(node, []);
        }
    } catch (error) {
        // The two parsers differ at the edges of the language: an issue without a line is better than a crash.
        if (error instanceof lib.ParseError) return nowhere;
        throw error;
    }
    const { keys, values } = collector;
    return {
        key: (path) => keys.get(idOf(path)),
        value: (path) => values.get(idOf(path)) ?? keys.get(idOf(path)),
    };
}
