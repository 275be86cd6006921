import * as z from "zod";

/** What each value must be; the words follow "expected" in a message. */
export const expectedOf: Readonly<Record<string, string>> = {
    vision: "a table [vision]",
    "vision.placeholder": 'text that stands for an image in the prompt, e.g. "<image>"',
    "vision.max_tokens_per_image": "a whole number of tokens from 1",
    boot: "a table [boot]",
    "boot.weights_gib": "a number of GiB above 0",
    "boot.kv_cache_tokens": "a whole number of tokens from 1",
    "boot.seconds": "a number of seconds above 0",
    "boot.tolerance": "a part from 0 to 1, e.g. 0.05",
};

const vision = z.strictObject({
    placeholder: z.string().min(1),
    max_tokens_per_image: z.int().min(1),
});

const boot = z.strictObject({
    weights_gib: z.number().positive().optional(),
    kv_cache_tokens: z.int().min(1).optional(),
    seconds: z.number().positive().optional(),
    tolerance: z.number().min(0).max(1).default(0.1),
});

/** The keys of a smoke.toml; closed, like a recipe's. */
export const smokeSchema = z.strictObject({ vision: vision.optional(), boot: boot.optional() });

export type SmokeToml = z.output<typeof smokeSchema>;

/** Names of the keys at the top or in a table. */
export function keysIn(table: PropertyKey | undefined): readonly string[] {
    const schemas = { vision, boot };
    const shape = table === undefined ? schemas : schemas[table as keyof typeof schemas].shape;
    return Object.keys(shape);
}
