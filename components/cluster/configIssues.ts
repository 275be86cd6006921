import type * as z from "zod";
import type { Issue } from "../issue";
import { fieldDoc } from "./field";
import { keysOf, pathText, schemaAt, valueAt } from "./walkSchema";

type Levenshtein = typeof import("fastest-levenshtein");

/** A problem of the configuration, its file and line still open. */
export type ConfigIssue = Omit<Issue, "code" | "severity" | "file" | "line" | "column" | "source">;

/** A value in a message: short, on one line, never a block's content. */
export function show(value: unknown): string {
    if (value === null || value === "") return "nothing";
    if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
    if (typeof value === "object") return "a block of keys";
    const text = JSON.stringify(value);
    return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

/** The known name that a wrong one is nearest to, if any is near. */
export function nearest(key: string, keys: readonly string[]): string | undefined {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only an error path needs it
    const lib = require("fastest-levenshtein") as Levenshtein;
    if (keys.length === 0) return undefined;
    const best = lib.closest(key.toLowerCase(), keys);
    const limit = Math.max(2, Math.floor(key.length / 3));
    return lib.distance(key.toLowerCase(), best.toLowerCase()) <= limit ? best : undefined;
}

function unknownKey(
    path: readonly PropertyKey[],
    key: string,
    schema: z.core.$ZodType,
): ConfigIssue {
    const keys = keysOf(schemaAt(schema, path));
    const best = nearest(key, keys);
    const dotted =
        path.length === 0 && /[.[]/.test(key) && keys.includes(key.split(/[.[]/)[0] ?? "");
    const fix = dotted
        ? `pulumi config set --path '${key}' VALUE writes into the block; remove this line`
        : best === undefined
          ? undefined
          : `did you mean ${best}?`;
    return {
        path: pathText([...path, key]),
        problem: "unknown key",
        expected: `one of ${keys.join(", ")}`,
        ...(fix === undefined ? {} : { fix }),
    };
}

function wrongValue(issue: z.core.$ZodIssue, schema: z.core.$ZodType, raw: unknown): ConfigIssue {
    const inner = schemaAt(schema, issue.path);
    const doc = inner === undefined ? undefined : fieldDoc(inner);
    const value = valueAt(raw, issue.path);
    const base = {
        path: pathText(issue.path),
        problem:
            value === undefined
                ? "missing"
                : doc?.secret
                  ? "not usable as it is (value not shown)"
                  : show(value),
        expected: doc?.expected ?? issue.message,
    };
    return doc?.fix === undefined ? base : { ...base, fix: doc.fix };
}

/** What a schema found, in the words of a user's message. */
export function configIssues(
    found: readonly z.core.$ZodIssue[],
    schema: z.core.$ZodType,
    raw: unknown,
): readonly ConfigIssue[] {
    return found.flatMap((issue) =>
        issue.code === "unrecognized_keys"
            ? issue.keys.map((key) => unknownKey(issue.path, key, schema))
            : [wrongValue(issue, schema, raw)],
    );
}
