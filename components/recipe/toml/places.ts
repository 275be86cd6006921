import { parse } from "smol-toml";
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

const patterns = {
    space: /[ \t]*/y,
    void: /(?:[\s\uFEFF]|#[^\n]*)*/y,
    bareKey: /[^\s"'=.\]]+/y,
    bareValue: /[^,\]}#\n]*/y,
    // Unrolled, so that a long text costs no backtracking; a closing triple may have two quotes of the text before it.
    basicText: /"""[^"\\]*(?:(?:\\[^]|"{1,2}(?!"))[^"\\]*)*"{3,5}/y,
    literalText: /'''[^']*(?:'{1,2}(?!')[^']*)*'{3,5}/y,
    basic: /"[^"\\\n]*(?:\\.[^"\\\n]*)*"/y,
    literal: /'[^'\n]*'/y,
};

/** A quoted key as its table has it. */
function unquoted(raw: string): string {
    if (!raw.includes("\\")) return raw.slice(1, -1);
    const { name } = parse(`name = ${raw}`);
    return typeof name === "string" ? name : raw;
}

/**
 * Walks a text that is valid TOML and notes where its keys and values stand. It need not find mistakes, so it is small;
 * the parser that has found none keeps no places.
 */
class Walker {
    readonly keys = new Map<string, Span>();
    readonly values = new Map<string, Span>();
    private readonly counts = new Map<string, number>();
    private offset = 0;
    // Places are noted in the order of the text: the line is counted on from the last one.
    private line = 1;
    private lineStart = 0;
    private counted = 0;

    constructor(private readonly text: string) {}

    private take(pattern: RegExp): string {
        const sticky = new RegExp(pattern);
        sticky.lastIndex = this.offset;
        const [found = ""] = sticky.exec(this.text) ?? [];
        this.offset += found.length;
        return found;
    }

    private is(char: string): boolean {
        if (!this.text.startsWith(char, this.offset)) return false;
        this.offset += char.length;
        return true;
    }

    /** Line and column of an offset that is never before the last one asked for. */
    private place(offset: number): Pick<Span, "line" | "column"> {
        for (let at = this.text.indexOf("\n", this.counted); at >= 0 && at < offset;) {
            this.line += 1;
            this.lineStart = at + 1;
            this.counted = at + 1;
            at = this.text.indexOf("\n", this.counted);
        }
        return { line: this.line, column: offset - this.lineStart + 1 };
    }

    private span(start: Pick<Span, "line" | "column">, from: number): Span {
        const text = this.text.slice(from, this.offset).trimEnd();
        return { ...start, endLine: start.line + text.split("\n").length - 1, text };
    }

    /** The parts of a key with dots; the first place of each counts. */
    private key(base: Path, resolve: (path: Path) => Path = (path) => path): Path {
        let path = base;
        do {
            this.take(patterns.space);
            const from = this.offset;
            const start = this.place(from);
            const raw = this.take(patterns.basic) || this.take(patterns.literal);
            const name = raw === "" ? this.take(patterns.bareKey) : unquoted(raw);
            path = [...resolve(path), name];
            if (!this.keys.has(idOf(path))) this.keys.set(idOf(path), this.span(start, from));
            this.take(patterns.space);
        } while (this.is("."));
        return path;
    }

    /** Below an array of tables a header means its last table. */
    private readonly lastTable = (path: Path): Path => {
        const count = this.counts.get(idOf(path));
        return count === undefined ? path : [...path, count - 1];
    };

    private header(): Path {
        const isArray = this.is("[[");
        if (!isArray) this.is("[");
        this.take(patterns.space);
        const from = this.offset;
        const start = this.place(from);
        const name = this.key([], this.lastTable);
        const span = this.span(start, from);
        const count = (this.counts.get(idOf(name)) ?? 0) + 1;
        if (isArray) this.counts.set(idOf(name), count);
        const path = isArray ? [...name, count - 1] : name;
        for (const each of [name, path]) {
            // The header is the place of a table as a value: its keys may all be missing.
            if (!this.values.has(idOf(each))) this.values.set(idOf(each), span);
        }
        this.is(isArray ? "]]" : "]");
        return path;
    }

    private pair(base: Path): void {
        const path = this.key(base);
        this.is("=");
        this.take(patterns.void);
        this.value(path);
    }

    private items(close: string, item: (i: number) => void): void {
        for (let i = 0; ; i += 1) {
            this.take(patterns.void);
            if (this.is(close) || this.offset >= this.text.length) return;
            item(i);
            this.take(patterns.void);
            this.is(",");
        }
    }

    private value(path: Path): void {
        const from = this.offset;
        const start = this.place(from);
        if (this.is("[")) {
            this.items("]", (i) => {
                this.value([...path, i]);
            });
        } else if (this.is("{")) {
            this.items("}", () => {
                this.pair(path);
            });
        } else {
            const { basicText, literalText, basic, literal, bareValue } = patterns;
            [basicText, literalText, basic, literal, bareValue].some(
                (each) => this.take(each) !== "",
            );
        }
        this.values.set(idOf(path), this.span(start, from));
    }

    walk(): void {
        let table: Path = [];
        for (;;) {
            this.take(patterns.void);
            const from = this.offset;
            if (from >= this.text.length) return;
            if (this.text[from] === "[") table = this.header();
            else this.pair(table);
            if (this.offset === from) throw new Error(`no TOML at character ${String(from)}`);
        }
    }
}

/** The places of keys and values in a text that the TOML parser has accepted. */
export function findPlaces(text: string): Places {
    const walker = new Walker(text);
    walker.walk();
    const { keys, values } = walker;
    return {
        key: (path) => keys.get(idOf(path)),
        value: (path) => values.get(idOf(path)) ?? keys.get(idOf(path)),
    };
}
