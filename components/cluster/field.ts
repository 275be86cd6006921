import * as z from "zod";

/** What a key means, for the reference page and for messages about a wrong value. */
export interface FieldDoc {
    /** One sentence for the reference page. */
    readonly description: string;
    /** What the value must be; follows "expected" in a message. */
    readonly expected: string;
    /** How to write it right. */
    readonly fix?: string;
    /** The value must never be shown. */
    readonly secret?: true;
}

// Not zod's registry: there a schema inherits what is said of the one it was made from.
const docs = new WeakMap<z.core.$ZodType, FieldDoc>();

/** What was said of a field of the stack's configuration. */
export function fieldDoc(schema: z.core.$ZodType): FieldDoc | undefined {
    return docs.get(schema);
}

/** Gives a schema its description; the schema itself is returned, so it must be the field's own. */
export function field<S extends z.ZodType>(schema: S, doc: FieldDoc): S {
    docs.set(schema, doc);
    return schema;
}

/** A whole number of `unit` within bounds. */
export function count(min: number, max: number, unit: string, description: string): z.ZodInt {
    const expected = `a whole number of ${unit} from ${String(min)} to ${String(max)}`;
    return field(z.int().min(min).max(max), { description, expected });
}

/** A number within bounds, of a unit if it has one. */
export function amount(
    [min, max, unit]: readonly [min: number, max: number, unit?: string],
    description: string,
): z.ZodNumber {
    const what = unit === undefined ? "a number" : `a number of ${unit}`;
    const expected = `${what} from ${String(min)} to ${String(max)}`;
    return field(z.number().min(min).max(max), { description, expected });
}

/** true or false. */
export function flag(description: string): z.ZodBoolean {
    return field(z.boolean(), { description, expected: "true or false" });
}

/** One word of a few. */
export function choice<const W extends readonly [string, ...string[]]>(
    words: W,
    description: string,
): z.ZodEnum<{ [K in W[number]]: K }> {
    return field(z.enum(words), { description, expected: words.join(" or ") });
}

/** A block of keys; any other key is an error. */
export function block<S extends z.core.$ZodShape>(
    shape: S,
    description: string,
): z.ZodObject<S, z.core.$strict> {
    const expected = `a block with keys of: ${Object.keys(shape).join(", ")}`;
    return field(z.strictObject(shape), { description, expected });
}
