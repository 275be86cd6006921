import * as fs from "node:fs";
import * as path from "node:path";

import type * as z from "zod";

import { RecipeError } from "../issue";
import { type Finding, nearest, readTomlFile } from "../recipe";
import { expectedOf, keysIn, smokeSchema, type SmokeToml } from "./smokeSchema";
import type { ImageSmoke } from "./types";

/** The file of an image folder that holds what smoke gates and the watch over a boot need to know. */
export const smokeFileName = "smoke.toml";

/**
 * Reads `smoke.toml` of an image folder; undefined when there is none.
 *
 * @param shown the folder as messages name it.
 * @throws RecipeError with every problem and its line.
 */
export function readSmokeFile(contextDir: string, shown: string): ImageSmoke | undefined {
    const file = path.join(contextDir, smokeFileName);
    if (!fs.existsSync(file)) return undefined;
    return parseSmoke(fs.readFileSync(file, "utf8"), `${shown}/${smokeFileName}`);
}

/** A smoke.toml's text as data. Throws RecipeError with every problem and its line. */
export function parseSmoke(text: string, file: string): ImageSmoke {
    const { table, locate } = readTomlFile(text, file);
    const parsed = smokeSchema.safeParse(table);
    if (!parsed.success) {
        const findings = parsed.error.issues.flatMap((issue) => findingsOf(issue, table));
        throw new RecipeError(locate(findings));
    }
    return toSmoke(parsed.data);
}

function findingsOf(issue: z.core.$ZodIssue, table: unknown): readonly Finding[] {
    const at = issue.path as (string | number)[];
    if (issue.code === "unrecognized_keys") {
        return issue.keys.map((key) => unknownKey([...at.map(String), key]));
    }
    const expected = expectedOf[at.join(".")] ?? "another value";
    return [
        valueAt(table, at) === undefined
            ? { code: "missing-key", at, problem: "missing", expected }
            : { code: "bad-value", at, problem: "is not what it must be", expected },
    ];
}

function valueAt(table: unknown, at: readonly (string | number)[]): unknown {
    return at.reduce<unknown>(
        (value, key) => (value as Readonly<Record<string | number, unknown>>)[key],
        table,
    );
}

function unknownKey(at: readonly string[]): Finding {
    const known = keysIn(at.length > 1 ? at[0] : undefined);
    const meant = nearest(at.at(-1) ?? "", known);
    return {
        code: "unknown-key",
        at,
        target: "key",
        problem: "unknown key",
        expected: `one of ${known.join(", ")}`,
        ...(meant === undefined ? {} : { fix: `did you mean ${meant}?` }),
    };
}

function toSmoke({ vision, boot }: SmokeToml): ImageSmoke {
    const figures = {
        weightsGib: boot?.weights_gib,
        kvCacheTokens: boot?.kv_cache_tokens,
        bootSeconds: boot?.seconds,
    };
    const given = Object.entries(figures).filter(([, value]) => value !== undefined);
    return {
        ...(vision === undefined
            ? {}
            : {
                  vision: {
                      placeholder: vision.placeholder,
                      maxTokensPerImage: vision.max_tokens_per_image,
                  },
              }),
        ...(boot === undefined
            ? {}
            : { boot: { ...Object.fromEntries(given), tolerance: boot.tolerance } }),
    };
}
