import type * as z from "zod";
import type { Finding, Path } from "../finding";
import { docOf, unwrap } from "./field";
import { mountSchema, recipeSchema, topKeys } from "./schema";
import { meantKey, unknownKey } from "./unknownKey";
import { wrongValue, type RawText } from "./wrongValue";

type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table =>
    typeof value === "object" && value !== null && !Array.isArray(value);

function valueAt(table: Table, path: Path): unknown {
    return path.reduce<unknown>(
        (value, key) => (value as Record<string | number, unknown> | undefined)?.[key],
        table,
    );
}

/** Unknown keys of the environment: any name is a variable, but a key of the recipe has landed below [env]. */
function landedInEnv({ env }: Table): readonly Path[] {
    if (!isTable(env)) return [];
    return Object.keys(env)
        .filter((key) => (topKeys as readonly string[]).includes(key))
        .map((key) => ["env", key]);
}

/** Keys without a default that are not optional. */
function requiredKeys(shape: Readonly<Record<string, z.core.$ZodType>>): readonly string[] {
    return Object.keys(shape).filter((key) => {
        const schema = shape[key];
        return schema !== undefined && unwrap(schema) === schema;
    });
}

/** Keys that are there under another name or in another place: their absence is no riddle of its own. */
function meantElsewhere(table: Table, unknown: readonly Path[]): readonly string[] {
    return unknown.flatMap((at) => {
        const key = String(at.at(-1));
        const value = valueAt(table, at);
        const inside = at.length === 1 && isTable(value) ? Object.keys(value) : [];
        return [key, meantKey(key, at.length > 1 && at[0] === "extra_mounts") ?? key, ...inside];
    });
}

function missingAtTop(table: Table, elsewhere: readonly string[]): readonly Finding[] {
    const missing = requiredKeys(recipeSchema.shape).filter(
        (key) => !(key in table) && !elsewhere.includes(key),
    );
    if (missing.length === 0) return [];
    const [first = ""] = missing;
    const example = (key: string) =>
        `${key} = ${docOf(unwrap(recipeSchema.shape[key as keyof typeof recipeSchema.shape])).example}`;
    return [
        {
            code: "missing-key",
            at: missing.length === 1 ? [first] : [],
            nowhere: true,
            problem: `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`,
            expected: `every recipe to have ${missing.length === 1 ? "it" : "them"} at its top`,
            fix: `write e.g. ${missing.map(example).join("; ")}`,
        },
    ];
}

function missingInMounts(table: Table, unknown: readonly Path[]): readonly Finding[] {
    const { extra_mounts: mounts } = table;
    if (!Array.isArray(mounts)) return [];
    return mounts.flatMap((mount: unknown, i) => {
        if (!isTable(mount)) return [];
        const ours = unknown.filter((at) => at[0] === "extra_mounts" && at[1] === i);
        const elsewhere = meantElsewhere(table, ours);
        return requiredKeys(mountSchema.shape)
            .filter((key) => !(key in mount) && !elsewhere.includes(key))
            .map((key): Finding => {
                const doc = docOf(mountSchema.shape[key as keyof typeof mountSchema.shape]);
                return {
                    code: "missing-key",
                    at: ["extra_mounts", i, key],
                    problem: `${key} is missing in this mount`,
                    expected: doc.expected,
                    fix: `write e.g. ${key} = ${doc.example}`,
                };
            });
    });
}

/** What the closed schema says of a recipe: unknown, misplaced, missing and wrong, all at once. */
export function checkSchema(table: Table, rawText: RawText): readonly Finding[] {
    const found = recipeSchema.safeParse(table).error?.issues ?? [];
    const landed = landedInEnv(table);
    const unknown = [
        ...landed,
        ...found.flatMap((issue) =>
            issue.code === "unrecognized_keys"
                ? issue.keys.map((key) => [...(issue.path as Path), key])
                : [],
        ),
    ];
    const wrong = found.flatMap((issue) => {
        const at = issue.path as Path;
        const value = valueAt(table, at);
        const isLanded = landed.some(([, key]) => at[0] === "env" && at[1] === key);
        if (issue.code === "unrecognized_keys" || value === undefined || isLanded) return [];
        return wrongValue(at, value, rawText) ?? [];
    });
    return [
        ...missingAtTop(table, meantElsewhere(table, unknown)),
        ...missingInMounts(table, unknown),
        ...unknown.map((at) => unknownKey(at, valueAt(table, at))),
        ...wrong,
    ];
}
