import type { Issue } from "../issue";
import type * as yaml from "yaml";

/** The stack's file as the user sees it. */
export interface ConfigSource {
    /** e.g. `Pulumi.spark.yaml`. */
    readonly file: string;
    /** Its text, for lines in messages. */
    readonly text?: string;
}

/** Namespace of the stack's keys. */
export const namespace = "spark-vllm";

/** The keys that hold secrets. */
export const secretKeys: readonly string[] = ["apiKey", "huggingFaceToken", "registryPassword"];

/** Lines whose values a message must not show. */
const secretLine = new RegExp(String.raw`${secretKeys.join("|")}|secure:|\benv:\s*\{`);

function segments(path: string): readonly (string | number)[] {
    return [...path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)].map(
        ([, index, quoted, key = ""]) => {
            if (index !== undefined) return Number(index);
            return quoted === undefined ? key : (JSON.parse(quoted) as string);
        },
    );
}

/** Offset of the deepest part of the path that the document has; the key's place, not the value's. */
function offsetOf(
    lib: typeof yaml,
    doc: yaml.Document,
    path: readonly (string | number)[],
): number | undefined {
    let node: unknown = doc.get("config", true);
    let offset: number | undefined;
    for (const [depth, key] of path.entries()) {
        if (lib.isMap(node)) {
            const names =
                depth === 0
                    ? [`${namespace}:${String(key)}`, `${namespace}:config:${String(key)}`]
                    : [String(key)];
            const pair = node.items.find(
                (item) => lib.isScalar(item.key) && names.includes(String(item.key.value)),
            );
            if (pair === undefined) return offset;
            offset = (pair.key as yaml.Scalar).range?.[0] ?? offset;
            node = pair.value;
        } else if (lib.isSeq(node)) {
            node = node.items[Number(key)];
            if (!lib.isNode(node)) return offset;
            offset = node.range?.[0] ?? offset;
        } else {
            return offset;
        }
    }
    return offset;
}

/** Gives each issue of the stack's file its line and column, where the text is known, and sorts by line. */
export function placeIssues(issues: readonly Issue[], source: ConfigSource): readonly Issue[] {
    const { file, text } = source;
    if (text === undefined) return issues;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only an error path needs it
    const lib = require("yaml") as typeof yaml;
    const lines = new lib.LineCounter();
    const doc = lib.parseDocument(text, { lineCounter: lines });
    const lineText = text.split(/\r?\n/);
    return issues
        .map((issue) => {
            if (issue.file !== file || issue.line !== undefined) return issue;
            const offset = offsetOf(lib, doc, segments(issue.path));
            if (offset === undefined) return issue;
            const { line, col } = lines.linePos(offset);
            const placed = { ...issue, line, column: col };
            const source = lineText[line - 1] ?? "";
            return secretLine.test(source) || issue.path.includes(".env.")
                ? placed
                : { ...placed, source };
        })
        .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
