import { parseTOML, type AST } from "toml-eslint-parser";
import type { Path } from "../../components/recipe/finding";
import type { Span } from "../../components/recipe/toml/places";

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

    table({ key, resolvedKey: path, kind, body }: AST.TOMLTable): void {
        let part = 0;
        for (const [i, name] of path.entries()) {
            const id = idOf(path.slice(0, i + 1));
            const own = typeof name === "string" ? key.keys[part++] : undefined;
            if (own !== undefined && !this.keys.has(id)) this.keys.set(id, this.span(own));
        }
        for (const each of kind === "array" ? [path.slice(0, -1), path] : [path]) {
            if (!this.values.has(idOf(each))) this.values.set(idOf(each), this.span(key));
        }
        for (const pair of body) this.pair(pair, path);
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

/** The places by a full TOML parser that keeps them; ids are JSON paths. Throws what it cannot parse. */
export function parserPlaces(text: string): { keys: Map<string, Span>; values: Map<string, Span> } {
    const collector = new Collector(text);
    for (const node of parseTOML(text, { tomlVersion: "next" }).body[0].body) {
        if (node.type === "TOMLTable") collector.table(node);
        else collector.pair(node, []);
    }
    return collector;
}
