import type * as z from "zod";

/** What is said of a key, once: for messages, the reference page and editors. */
export interface FieldDoc {
    /** One or two sentences for the reference page and editors. */
    readonly description: string;
    /** What the value must be; follows "expected" in a message. */
    readonly expected: string;
    /** A right value as TOML. */
    readonly example: string;
}

// Not zod's registry: there a schema inherits what is said of the one it was made from.
const docs = new WeakMap<z.core.$ZodType, FieldDoc>();

/** Says what a key means; the schema itself is returned, so it must be the key's own. */
export function field<S extends z.ZodType>(schema: S, doc: FieldDoc): S {
    docs.set(schema, doc);
    return schema;
}

/** The schema without its default or optional mark. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    return def.type === "default" || def.type === "optional" ? unwrap(def.innerType) : schema;
}

/** What was said of a schema that is a key of the recipe. */
export function findDoc(schema: z.core.$ZodType): FieldDoc | undefined {
    return docs.get(unwrap(schema));
}

/** What was said of a key of the recipe. */
export function docOf(schema: z.core.$ZodType): FieldDoc {
    const doc = findDoc(schema);
    if (doc === undefined) throw new Error("a key of the recipe without a description");
    return doc;
}
