import type * as z from "zod";
import { plainJson } from "./args/plainJson";
import { readArgs } from "./args/readArgs";
import type { Draft, DraftMount, Fields } from "./draft";
import { mountSchema, recipeSchema } from "./schema/schema";

type Table = Readonly<Record<string, unknown>>;

/** A path as Docker would make it of this one: without empty and `.` parts, without a slash at the end. */
function cleanPath(path: string): string {
    return path.replace(/\/(?:\.?\/)+/g, "/").replace(/(.)\/\.?$/, "$1");
}

/** The keys of a table that fit their schemas. */
function readKeys(table: Table, shape: Readonly<Record<string, z.core.$ZodType>>): Table {
    const entries = Object.entries(shape).flatMap(([key, schema]) => {
        const parsed = (schema as z.ZodType).safeParse(table[key]);
        return parsed.success && parsed.data !== undefined ? [[key, parsed.data] as const] : [];
    });
    return Object.fromEntries(entries);
}

function readMount(value: unknown): DraftMount {
    const table = typeof value === "object" && value !== null ? (value as Table) : {};
    const {
        host,
        container,
        env,
        read_only: readOnly,
    } = readKeys(table, mountSchema.shape) as {
        readonly [K in keyof z.output<typeof mountSchema>]?: z.output<typeof mountSchema>[K];
    };
    return {
        ...(host === undefined ? {} : { host: cleanPath(host) }),
        ...(container === undefined ? {} : { container: cleanPath(container) }),
        ...(env === undefined ? {} : { env }),
        readOnly: readOnly ?? false,
    };
}

function readFields(table: Table): Fields {
    const { args: _args, env: _env, extra_mounts: _mounts, ...shape } = recipeSchema.shape;
    return readKeys(table, shape);
}

/** What can be read of a recipe, whatever else is wrong with it. */
export function readDraft(table: Table): Draft {
    const { args: list, env, extra_mounts: mounts } = table;
    const words: readonly unknown[] = Array.isArray(list) ? list : [];
    const variables = typeof env === "object" && env !== null && !Array.isArray(env) ? env : {};
    const args = plainJson(words.map((word) => (typeof word === "string" ? word : undefined)));
    return {
        fields: readFields(table),
        args,
        read: readArgs(args),
        env: Object.entries(variables).map(([name, value]) => [
            name,
            typeof value === "string" ? value : undefined,
        ]),
        mounts: Array.isArray(mounts) ? mounts.map(readMount) : [],
    };
}
