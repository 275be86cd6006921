import {
    type Document,
    isMap,
    isScalar,
    isSeq,
    type Pair,
    parseDocument,
    Scalar,
    type YAMLMap,
} from "yaml";
import { type Difference, namespace } from "../components/cluster";

type Style = Readonly<{ indent: number; indentSeq: boolean; flowCollectionPadding: boolean }>;

const styles: readonly Style[] = [2, 4].flatMap((indent) =>
    [true, false].flatMap((indentSeq) =>
        [false, true].map((flowCollectionPadding) => ({
            indent,
            indentSeq,
            flowCollectionPadding,
        })),
    ),
);

const print = (document: Document, style: Style) => document.toString({ ...style, lineWidth: 0 });

/** The style in which the file is written now, so that only what changes is another line. */
function styleOf(text: string): Style {
    const lines = new Set(text.split("\n"));
    const others = (style: Style) =>
        print(parseDocument(text), style)
            .split("\n")
            .filter((line) => !lines.has(line)).length;
    const counts = styles.map((style) => ({ style, count: others(style) }));
    const [best] = counts.toSorted((a, b) => a.count - b.count);
    return best?.style ?? { indent: 2, indentSeq: true, flowCollectionPadding: false };
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
    return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** A list of names on one line, with the comment of what stood there. */
function listNode(document: Document, value: readonly string[], before: unknown) {
    const node = document.createNode(value, { flow: true });
    const comment = isSeq(before) || isScalar(before) ? before.comment : undefined;
    if (comment) node.comment = comment;
    return node;
}

/** Sets a key of a block; what is around it stays, a comment behind the value too. */
function setKey(
    document: Document,
    map: YAMLMap,
    { key, to, after }: { key: string; to: Difference["to"]; after?: string },
): void {
    const pair = pairOf(map, key);
    if (pair !== undefined) {
        if (typeof to === "object") pair.value = listNode(document, to, pair.value);
        else if (isScalar(pair.value)) pair.value.value = to;
        else pair.value = new Scalar(to);
        return;
    }
    const value = typeof to === "object" ? listNode(document, to, undefined) : new Scalar(to);
    const fresh = document.createPair(key, value);
    const at =
        after === undefined ? -1 : map.items.findIndex((each) => each === pairOf(map, after));
    if (at < 0) map.items.push(fresh);
    else map.items.splice(at + 1, 0, fresh);
}

/** The list of nodes; one that stands there as JSON text becomes a list that can be read. */
function nodeList(document: Document): unknown {
    const names = [`${namespace}:nodes`, `${namespace}:config:nodes`];
    const path = names.map((name) => ["config", name]).find((each) => document.hasIn(each));
    if (path === undefined) return undefined;
    const value: unknown = document.getIn(path);
    if (typeof value === "string") document.setIn(path, document.createNode(JSON.parse(value)));
    return document.getIn(path);
}

function nodeMap(document: Document, index: number): YAMLMap | undefined {
    const nodes = nodeList(document);
    const node = isSeq(nodes) ? nodes.items[index] : undefined;
    return isMap(node) ? node : undefined;
}

function apply(document: Document, { index, key: [top = "", inner], to }: Difference): void {
    const node = nodeMap(document, index);
    if (node === undefined) throw new Error(`the file has no nodes[${String(index)}]`);
    if (inner === undefined) {
        // Where one looks for it: beside the host that it belongs to.
        setKey(document, node, { key: top, to, after: "host" });
        return;
    }
    const pair = pairOf(node, top);
    if (!isMap(pair?.value)) {
        if (pair !== undefined) node.delete(top);
        node.items.push(document.createPair(top, {}));
    }
    const block = pairOf(node, top)?.value;
    if (isMap(block)) {
        block.flow = false;
        setKey(document, block, { key: inner, to });
    }
}

/** The text of a stack's file with these keys as they were found; comments and everything else stay. */
export function editStack(text: string, differences: readonly Difference[]): string {
    const crlf = text.includes("\r\n");
    const plain = text.replaceAll("\r\n", "\n");
    const document = parseDocument(plain);
    for (const difference of differences) apply(document, difference);
    const edited = print(document, styleOf(plain));
    return crlf ? edited.replaceAll("\n", "\r\n") : edited;
}
