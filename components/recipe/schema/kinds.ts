import { TomlDate } from "smol-toml";
import type * as z from "zod";
import { TomlFloat } from "../toml/plainNumbers";
import { own } from "../own";
import { unwrap } from "./field";

/** What a value is, in TOML's words. */
export type Kind = "string" | "whole number" | "number" | "boolean" | "list" | "table" | "date";

/** The kind of a value that TOML can hold. */
export function kindOf(value: unknown): Kind {
    switch (typeof value) {
        case "string":
            return "string";
        case "number":
        case "bigint":
            return "whole number";
        case "boolean":
            return "boolean";
        default:
            if (value instanceof TomlFloat) return "number";
            if (Array.isArray(value)) return "list";
            return value instanceof TomlDate ? "date" : "table";
    }
}

/** The kind of value that a schema wants. */
export function kindWanted(schema: z.core.$ZodType): Kind {
    const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
    switch (def.type) {
        case "number":
            return "whole number";
        case "boolean":
            return "boolean";
        case "array":
            return "list";
        case "object":
        case "record":
            return "table";
        default:
            return "string";
    }
}

function child(schema: z.core.$ZodType, key: string | number): z.core.$ZodType | undefined {
    const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
    switch (def.type) {
        case "object":
            return own(def.shape, String(key));
        case "array":
            return def.element;
        case "record":
            return def.valueType;
        default:
            return undefined;
    }
}

/** The schema of the value at a path. */
export function schemaAt(
    schema: z.core.$ZodType,
    path: readonly (string | number)[],
): z.core.$ZodType | undefined {
    return path.reduce<z.core.$ZodType | undefined>(
        (found, key) => (found === undefined ? undefined : child(found, key)),
        schema,
    );
}
