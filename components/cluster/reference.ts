import type * as z from "zod";
import { fieldDoc } from "./field";
import { isNotBuilt } from "./notBuilt";
import { clusterSchema } from "./schema";
import { keysOf, schemaAt, unwrap } from "./walkSchema";

type Schema = z.core.$ZodType;

/** The default of an optional key; undefined when there is none. */
function defaultOf(schema: Schema): unknown {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    return def.type === "default" ? def.defaultValue : undefined;
}

function defaultText(schema: Schema, key: string): string {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    const value = defaultOf(schema);
    if (value !== undefined) {
        const text = Array.isArray(value) ? value.join(", ") : JSON.stringify(value);
        return text === "" || text === "{}" ? "none" : text.replaceAll('"', "");
    }
    if (def.type === "optional") return "none";
    if (def.type === "prefault") return "its keys' defaults";
    return key === "" ? "" : "**required**";
}

/** The schemas below a field: a block's keys, or those of a list's items. */
function blockOf(schema: Schema): Schema {
    const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
    return def.type === "array" ? unwrap(def.element) : unwrap(schema);
}

function childOf(block: Schema, key: string): Schema | undefined {
    const { def } = (block as z.core.$ZodTypes)._zod;
    return def.type === "object" ? def.shape[key] : undefined;
}

const cell = (text: string) => text.replaceAll("|", "\\|");

function rows(block: Schema, prefix: string): readonly string[] {
    return keysOf(block).flatMap((key) => {
        const schema = childOf(block, key);
        const inner = schemaAt(block, [key]);
        if (schema === undefined || inner === undefined) return [];
        const path = `${prefix}${key}`;
        const { description = "", expected = "" } = fieldDoc(inner) ?? {};
        const later = isNotBuilt(path) ? " *Only the default so far.*" : "";
        const below = blockOf(schema);
        const list = below !== inner && keysOf(below).length > 0 ? "[]" : "";
        return [
            `| \`${path}\` | ${cell(expected)} | ${cell(defaultText(schema, key))} | ${cell(description)}.${later} |`,
            ...rows(below, `${path}${list}.`),
        ];
    });
}

const head = `# Stack configuration

Generated from the schema by \`node scripts/stackReference.js\`; do not edit.

A stack's configuration is the \`config:\` block of \`Pulumi.<stack>.yaml\`; every top-level key has the namespace
\`spark-vllm:\` in front. Pulumi.spark.yaml is a complete example. The list is closed: any other key is an error, and so
is a value that this version would ignore. All problems are shown at once, with their lines.

\`pulumi config set KEY VALUE\` writes a key, \`pulumi config set --path 'api.port' 8001\` one inside a block. Secrets are
set with \`--secret\`, and only the keys marked so may be secrets.

| key | value | default | meaning |
|---|---|---|---|
`;

/** The reference page of the stack's configuration, Markdown. */
export function stackReference(): string {
    return `${head}${rows(clusterSchema, "").join("\n")}\n`;
}
