import type { ConfigIssue } from "./configIssues";
import { isSecret } from "./normalise";
import { namespace, secretKeys } from "./placeIssues";
import { pathText } from "./walkSchema";

/** A secret under another key than secretKeys would end up in the plan. */
function secretsBelow(value: unknown, path: readonly PropertyKey[]): readonly ConfigIssue[] {
    if (isSecret(value)) {
        return [
            {
                path: pathText(path),
                problem: "a secret stands here",
                expected: `a plain value: only ${secretKeys.join(", ")} are secrets`,
                fix: "set it anew without --secret",
            },
        ];
    }
    if (typeof value !== "object" || value === null) return [];
    const entries = Array.isArray(value)
        ? value.map((inner: unknown, i): [PropertyKey, unknown] => [i, inner])
        : Object.entries(value);
    return entries.flatMap(([key, inner]) => secretsBelow(inner, [...path, key]));
}

/** The engine hands a secret over in plain text, so only the file tells whether it is one there too. */
function plainInFile(key: string, text: string): readonly ConfigIssue[] {
    const line = new RegExp(`^[ \\t]+["']?${namespace}:${key}["']?:[ \\t]*(?![{#])\\S`, "m");
    if (!line.test(text)) return [];
    return [
        {
            path: key,
            problem: "stands in the file in plain text",
            expected: "an encrypted value",
            fix: `choose a new one, then: pulumi config set --secret ${key}`,
        },
    ];
}

/** Secrets where none belong, and secrets that are none. */
export function secretIssues(
    raw: Readonly<Record<string, unknown>>,
    text: string | undefined,
): readonly ConfigIssue[] {
    return [
        ...Object.entries(raw)
            .filter(([key]) => !secretKeys.includes(key))
            .flatMap(([key, value]) => secretsBelow(value, [key])),
        ...(text === undefined ? [] : secretKeys.flatMap((key) => plainInFile(key, text))),
    ];
}
