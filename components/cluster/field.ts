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

/** Descriptions of all fields of the stack's configuration, by schema. */
export const fieldDocs = z.registry<FieldDoc>();

/** Gives a schema its description; the schema itself is returned. */
export function field<S extends z.ZodType>(schema: S, doc: FieldDoc): S {
    fieldDocs.add(schema, doc);
    return schema;
}

/** A whole number of `unit` within bounds. */
export function count(min: number, max: number, unit: string, description: string): z.ZodInt {
    const expected = `a whole number of ${unit} from ${String(min)} to ${String(max)}`;
    return field(z.int().min(min).max(max), { description, expected });
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
