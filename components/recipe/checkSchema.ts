import type * as z from "zod";
import { unquote } from "./args/unquote";
import type { Draft, Fields } from "./draft";
import type { Finding } from "./finding";
import type { Table } from "./readToml";
import { docOf } from "./schema/field";
import { mountSchema, recipeSchema, topKeys } from "./schema/schema";
import type { RecipeMount } from "./types";

const isTable = (value: unknown): value is Table =>
    typeof value === "object" && value !== null && !Array.isArray(value);

function problems(table: Table): readonly Finding[] {
    return (recipeSchema.safeParse(table).error?.issues ?? []).flatMap((issue): Finding[] => {
        const at = issue.path as (string | number)[];
        if (issue.code === "unrecognized_keys") {
            return issue.keys.map((key) => ({
                code: "unknown-key",
                at: [...at, key],
                target: "key",
                problem: "unknown key",
                expected: `one of ${topKeys.join(", ")}`,
            }));
        }
        const missing = at.length === 1 && !(String(at[0]) in table);
        const key = String(at[0]) as keyof typeof recipeSchema.shape;
        return [
            {
                code: missing
                    ? "missing-key"
                    : issue.code === "invalid_type"
                      ? "wrong-type"
                      : "bad-value",
                at,
                problem: missing ? "missing" : issue.message,
                expected: docOf(recipeSchema.shape[key]).expected,
            },
        ];
    });
}

function readMount(value: unknown): RecipeMount | undefined {
    const parsed = mountSchema.safeParse(value);
    if (!parsed.success) return undefined;
    const { host, container, env, read_only: readOnly } = parsed.data;
    return { host, container, ...(env === undefined ? {} : { env }), readOnly };
}

function readFields(table: Table): Fields {
    const entries = Object.entries(recipeSchema.shape).flatMap(([key, schema]) => {
        if (["args", "env", "extra_mounts"].includes(key)) return [];
        const parsed = (schema as z.ZodType).safeParse(table[key]);
        return parsed.success && parsed.data !== undefined ? [[key, parsed.data] as const] : [];
    });
    return Object.fromEntries(entries);
}

/** What the closed schema says of a recipe, and what can be read of it. */
export function checkSchema(table: Table): { draft: Draft; findings: readonly Finding[] } {
    const { args, env, extra_mounts: mounts } = table;
    return {
        draft: {
            fields: readFields(table),
            args: Array.isArray(args)
                ? args.map((word: unknown) =>
                      typeof word === "string" ? unquote(word) : undefined,
                  )
                : [],
            env: isTable(env)
                ? Object.entries(env).filter(
                      (pair): pair is [string, string] => typeof pair[1] === "string",
                  )
                : [],
            mounts: Array.isArray(mounts) ? mounts.map(readMount) : [],
        },
        findings: problems(table),
    };
}
