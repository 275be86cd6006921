import { jsonProblem } from "../args/jsonProblem";
import type { Given } from "../args/readArgs";
import type { Finding } from "../finding";
import { show } from "../show";
import { argAt, texts, type Rule } from "./rule";

/** What stands at the place, for the eye. */
function around(text: string, offset: number): string {
    const rest = text.slice(offset, offset + 12);
    return rest === "" ? "the end" : show(rest);
}

/** `character 2`, or with lines when there are several. */
function position(text: string, offset: number): string {
    const before = text.slice(0, offset).split("\n");
    const column = String((before.at(-1)?.length ?? 0) + 1);
    return text.includes("\n")
        ? `line ${String(before.length)}, character ${column}`
        : `character ${column}`;
}

function fixOf(text: string): string | undefined {
    if (/^\s*"\s*[[{]/.test(text)) return "take the double quotes around it off";
    if (/[{[,:]\s*'/.test(text)) return "JSON has double quotes: single ones are Python's";
    if (/\b(?:True|False|None)\b/.test(text))
        return "JSON writes true, false and null in small letters";
    return /,\s*[\]}]/.test(text) ? "no comma behind the last item" : undefined;
}

function check({ name, flag, typed }: Given, text: string, index: number): Finding | undefined {
    if (flag?.nullable && (text === "" || text === "None")) return undefined;
    const isText = /^\s*"/.test(text);
    const problem = jsonProblem(text) ?? (isText ? { offset: 0, expected: "{ or [" } : undefined);
    if (problem === undefined) return undefined;
    const { offset, expected } = problem;
    const fix = fixOf(text);
    return {
        code: "bad-json",
        at: argAt(index),
        problem: `the value of ${name}${typed === name ? "" : ` (${typed})`} is not JSON: ${around(text, offset)} at ${position(text, offset)}`,
        expected: `${expected} there`,
        ...(fix === undefined ? {} : { fix }),
    };
}

/** Flags that take JSON, or any text, take JSON only when it looks like an object. */
const mustBeJson = ({ flag, keys }: Given, text: string) =>
    keys.length === 0 &&
    (flag?.kind === "json" ||
        (flag?.kind === "json-or-string" && /^\s*\{[\s\S]*\}\s*$/.test(text)));

/** JSON that is not JSON would end the engine in the container, ten seconds after its start. */
export const jsonArguments: Rule = ({ read }) =>
    read.given.flatMap((given) =>
        texts(given).flatMap(({ text, index }) =>
            mustBeJson(given, text) ? (check(given, text, index) ?? []) : [],
        ),
    );
