import * as z from "zod";
import { engineVersion } from "../args/flagTable";
import { managedFlagReasons } from "../rules/managedFlags";
import { managedVariableReasons } from "../rules/managedVariables";
import { docOf, findDoc } from "./field";
import { mountSchema, recipeSchema } from "./schema";

type Shape = Readonly<Record<string, z.core.$ZodType>>;

const cell = (text: string) => text.replaceAll("|", "\\|");

function defaultText(schema: z.core.$ZodType): string {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    if (def.type === "optional") return "none";
    if (def.type !== "default") return "**required**";
    const value = JSON.stringify(def.defaultValue);
    return value === "[]" || value === "{}" ? "empty" : `\`${value}\``;
}

const rows = (shape: Shape) =>
    Object.entries(shape).map(([key, schema]) => {
        const { description, expected, example } = docOf(schema);
        return `| \`${key}\` | ${cell(expected)} | ${defaultText(schema)} | \`${cell(example)}\` | ${cell(description)} |`;
    });

const list = (reasons: Readonly<Record<string, string>>) =>
    Object.entries(reasons).map(([name, reason]) => `- \`${name}\`: ${reason}`);

const keyHead = ["| key | value | default | example | meaning |", "|---|---|---|---|---|"];

const keys = (): readonly string[] => [
    "# Recipes",
    "",
    "Generated from the schema by `node scripts/recipeReference.js`; do not edit.",
    "",
    "A recipe is `recipes/<name>/recipe.toml`, TOML in UTF-8. The folder's name becomes part of container names and",
    "labels. The list of keys is closed: any other key is an error. `npm run spark -- check NAME` shows every problem at",
    "once, with line and column; `pulumi preview` and `pulumi up` begin with the same check.",
    "",
    "Editors with a TOML language server show the keys as you type with `docs/recipe.schema.json`: put",
    "`#:schema ../../docs/recipe.schema.json` in the first line of a recipe.",
    "",
    "## Keys",
    "",
    "Top-level keys stand above the first `[header]`: what follows a header belongs to that table.",
    "",
    ...keyHead,
    ...rows(recipeSchema.shape),
    "",
    "## Keys of a mount",
    "",
    "Each mount is a table `[[extra_mounts]]`.",
    "",
    ...keyHead,
    ...rows(mountSchema.shape),
    "",
    "Host paths and container paths hold no `..`, comma or colon. Caches of compiled kernels lie on the node itself, never",
    "on a network share, and are writable.",
    "",
];

const limits = (): readonly string[] => [
    "## Arguments",
    "",
    `Arguments are read as the parser of vLLM ${engineVersion} reads them: short names, beginnings of names that only one`,
    "flag has, underscores for dashes, `--flag=value`, `--no-flag`, lists, `--json-flag.key value`. Refused are lost and",
    "stray values, flags given twice in whatever spelling, values of the wrong type or outside a closed set of choices, JSON",
    "that is not JSON, and secrets. Flags, backends and `VLLM_` variables that this version does not know are warned of,",
    "since an image may carry a fork. An argument that repeats a key of the recipe must be equal to it.",
    "",
    "JSON may stand in single quotes, as for a shell: they are taken off once. Nothing else in a value is touched, and",
    "nothing is expanded.",
    "",
    "Flags that the program sets itself:",
    "",
    ...list(managedFlagReasons),
    "",
    "## Environment",
    "",
    "Values are strings. Secrets are refused: they belong into the stack (`apiKey`, `huggingFaceToken`). Refused too is any",
    "variable that names an interface, a device or an address, and these:",
    "",
    ...list(managedVariableReasons),
    "",
    "NCCL tuning that names no device is allowed. `NCCL_NET`, `NCCL_IB_ADDR_FAMILY` and `NCCL_IB_DISABLE` may only say what",
    "the program says: `IB`, `AF_INET`, `0`.",
    "",
];

/** The reference page of recipes, Markdown. */
export function recipeReference(): string {
    return [...keys(), ...limits()].join("\n");
}

/** The schema for editors, JSON Schema 2020-12. */
export function recipeJsonSchema(): unknown {
    return {
        title: "Recipe of spark-vllm",
        ...z.toJSONSchema(recipeSchema, {
            io: "input",
            override: ({ zodSchema, jsonSchema }) => {
                const doc = findDoc(zodSchema);
                if (doc !== undefined) Object.assign(jsonSchema, { description: doc.description });
            },
        }),
    };
}
