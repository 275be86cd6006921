import type * as z from "zod";
import { kindOf, keysOf, schemaAt } from "./walkSchema";

/** Stands for a secret's value wherever the configuration is read without the passphrase. */
const opaque = "[secret]";

/** `{secure: …}`, as the engine writes a secret into the stack's file. */
export function isSecret(value: unknown): boolean {
    return (
        typeof value === "object" &&
        value !== null &&
        typeof (value as { secure?: unknown }).secure === "string" &&
        Object.keys(value).length === 1
    );
}

function fromText(kind: string, text: string): unknown {
    switch (kind) {
        case "number":
            return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
        case "boolean":
            return text === "true" ? true : text === "false" ? false : text;
        case "object":
        case "array":
            try {
                return JSON.parse(text) as unknown;
            } catch {
                return text; // "a,b": the schema says what it should be
            }
        default:
            return text;
    }
}

function normaliseValue(kind: string, value: unknown): unknown {
    if (typeof value === "string") return fromText(kind, value);
    if (kind !== "string") return value;
    if (isSecret(value)) return opaque;
    return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/**
 * Makes the two readings of a stack's configuration one. The engine hands over texts (blocks as JSON), the file has
 * types and opaque secrets. Only top-level values differ: below them both have the file's types.
 */
export function normalise(
    raw: Readonly<Record<string, unknown>>,
    schema: z.core.$ZodType,
): Readonly<Record<string, unknown>> {
    const known = new Set(keysOf(schema));
    return Object.fromEntries(
        Object.entries(raw).map(([key, value]) => {
            const inner = known.has(key) ? schemaAt(schema, [key]) : undefined;
            return [key, inner === undefined ? value : normaliseValue(kindOf(inner), value)];
        }),
    );
}
