import { safeParse } from "zod";
import type * as z from "zod";
import type { Finding, Path } from "../finding";
import { isSecretName } from "../secrets";
import { show } from "../show";
import { docOf } from "./field";
import { kindOf, kindWanted, schemaAt, type Kind } from "./kinds";
import { recipeSchema } from "./schema";

/** The characters of a value in the recipe, as typed. */
export type RawText = (path: Path) => string | undefined;

const article = (kind: Kind) => `a ${kind}`;

/** What a single value means in other quotes, or without. */
function rewritten(wanted: Kind, value: unknown, raw: string): string | undefined {
    const kind = kindOf(value);
    if (wanted === "string" && (kind === "whole number" || kind === "number")) return `"${raw}"`;
    if (wanted === "whole number" && typeof value === "string") {
        const digits = value.trim();
        return /^\d+$/.test(digits) ? digits : undefined;
    }
    if (wanted === "whole number" && kind === "number") return /^\d+(?=\.0*$)/.exec(raw)?.[0];
    if (wanted === "boolean" && typeof value === "string") {
        return /^(?:true|false)$/i.test(value) ? value.toLowerCase() : undefined;
    }
    return wanted === "list" && kind === "string"
        ? `[${raw}], each word a string of its own`
        : undefined;
}

/** Texts that a boolean may stand for. */
function booleanAsText(at: Path, value: boolean, raw: string): string | undefined {
    if (at[0] === "args") return "remove it behind a switch; as a value write it in quotes";
    const assign = `${String(at.at(-1))} = `;
    return at[0] === "env"
        ? `which text is meant: ${assign}"${value ? "1" : "0"}" or ${assign}"${raw}"?`
        : undefined;
}

function fixOf(at: Path, schema: z.core.$ZodType, value: unknown, raw: string): string | undefined {
    const wanted = kindWanted(schema);
    if (wanted === "string" && typeof value === "boolean") return booleanAsText(at, value, raw);
    if (at[0] === "extra_mounts" && at.length === 1 && kindOf(value) === "table") {
        return "write [[extra_mounts]] in double brackets";
    }
    if (at[0] === "extra_mounts" && wanted === "string") return undefined;
    const right = rewritten(wanted, value, raw);
    // Digits in quotes are no size yet: only what would be right is offered.
    if (right === undefined || (wanted === "string" && !safeParse(schema, raw).success))
        return undefined;
    const last = at.at(-1);
    return `write ${typeof last === "number" ? "" : `${String(last)} = `}${right}`;
}

/** The value as typed, when it is short. */
function shown(value: unknown, raw: string): string {
    if (typeof value === "string") return show(value);
    return raw.length > 0 && raw.length <= 40 && !raw.includes("\n") ? raw : "what stands here";
}

/** A known key with a value that it cannot have. */
export function wrongValue(at: Path, value: unknown, rawText: RawText): Finding | undefined {
    const schema = schemaAt(recipeSchema, at);
    if (schema === undefined) return undefined;
    // The rule on secrets says all there is to say, without the value.
    if (at[0] === "env" && isSecretName(String(at[1]))) return undefined;
    const wanted = kindWanted(schema);
    const kind = kindOf(value);
    const raw = rawText(at) ?? "";
    const isTable = kind === "table" || kind === "list";
    const text = shown(value, raw);
    if (kind !== wanted) {
        const fix = fixOf(at, schema, value, raw);
        return {
            code: "wrong-type",
            at,
            problem: isTable ? `${article(kind)} stands here` : `${text} is ${article(kind)}`,
            expected: expectedOf(at, schema),
            ...(fix === undefined ? {} : { fix }),
        };
    }
    return {
        code: "bad-value",
        at,
        problem: `${text} is not allowed`,
        expected: expectedOf(at, schema),
    };
}

function expectedOf(at: Path, schema: Parameters<typeof docOf>[0]): string {
    if (at[0] === "args" && at.length === 2) return "a string: each flag and each value in quotes";
    if (at[0] === "env" && at.length === 2) return "a string: every variable is text";
    if (at[0] === "extra_mounts" && at.length === 2) return "a table with host and container";
    return docOf(schema).expected;
}
