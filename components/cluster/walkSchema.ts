import type * as z from "zod";

type Path = readonly PropertyKey[];

/** The schema without its default or optional mark. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
        case "default":
        case "prefault":
        case "optional":
            return unwrap(def.innerType);
        default:
            return schema;
    }
}

function child(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
    const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
    switch (def.type) {
        case "object":
            return def.shape[String(key)];
        case "array":
            return def.element;
        case "record":
            return def.valueType;
        default:
            return undefined;
    }
}

/** The schema of the value at a path, unwrapped; undefined where the schema has none. */
export function schemaAt(schema: z.core.$ZodType, path: Path): z.core.$ZodType | undefined {
    let found: z.core.$ZodType | undefined = unwrap(schema);
    for (const key of path) {
        const next: z.core.$ZodType | undefined = child(found, key);
        if (next === undefined) return undefined;
        found = unwrap(next);
    }
    return found;
}

/** The kind of value a schema wants: object, array, string, int, number, boolean, enum, record. */
export function kindOf(schema: z.core.$ZodType): string {
    return (unwrap(schema) as z.core.$ZodTypes)._zod.def.type;
}

/** The keys of a block, in the schema's order. */
export function keysOf(schema: z.core.$ZodType | undefined): readonly string[] {
    if (schema === undefined) return [];
    const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
    return def.type === "object" ? Object.keys(def.shape) : [];
}

/** The value at a path of plain data. */
export function valueAt(data: unknown, path: Path): unknown {
    return path.reduce<unknown>(
        (value, key) =>
            typeof value === "object" && value !== null
                ? (value as Record<PropertyKey, unknown>)[key]
                : undefined,
        data,
    );
}

/** `nodes[0].fabric.address`; a key with other characters as `["api.port"]`. */
export function pathText(path: Path): string {
    return path
        .map((key, i) => {
            if (typeof key === "number") return `[${String(key)}]`;
            const name = String(key);
            return /[.[\]"]/.test(name) ? `[${JSON.stringify(name)}]` : (i ? "." : "") + name;
        })
        .join("");
}
