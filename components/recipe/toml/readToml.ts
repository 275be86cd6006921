import { parse, TomlError } from "smol-toml";
import type { Issue } from "../../issue";
import { withoutSecrets } from "../secrets";
import { charName } from "../show";
import { syntaxProblem } from "./syntaxProblem";

/** TOML's tables as they come from the parser. */
export type Table = Readonly<Record<string, unknown>>;

/** A table, or why and where the text is no TOML. */
export type Reading =
    { readonly table: Table } | { readonly issues: readonly [Issue, ...(readonly Issue[])] };

/** The text as every checkout has it: without a byte order mark, line ends as LF. */
export function normalise(text: string): string {
    return text.replace(/^\uFEFF+/, "").replace(/\r\n/g, "\n");
}

/** TOML wants these as escapes (`\u0007`), and nobody sees them in an editor. */
const forbidden =
    /[\0-\x08\x0b-\x1f\x7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

type At = Pick<Issue, "line" | "column" | "problem" | "expected" | "fix">;

function issueAt(at: At, lines: readonly string[], file: string): Issue {
    return {
        code: "toml-syntax",
        severity: "error",
        file,
        path: "",
        ...at,
        source: withoutSecrets(lines[(at.line ?? 1) - 1] ?? ""),
    };
}

function forbiddenChars(lines: readonly string[], file: string): readonly Issue[] {
    return lines.flatMap((line, i) =>
        [...line.matchAll(forbidden)].map((match) =>
            issueAt(
                {
                    line: i + 1,
                    column: match.index + 1,
                    problem: `the character ${charName(match[0])} stands here`,
                    expected: "text without control characters",
                    fix: "remove it",
                },
                lines,
                file,
            ),
        ),
    );
}

/** A recipe's tables; integers as bigint, so that 2.0 is not taken for 2. */
export function readToml(text: string, file: string): Reading {
    const lines = text.split("\n");
    const [first, ...rest] = forbiddenChars(lines, file);
    if (first !== undefined) return { issues: [first, ...rest] };
    try {
        return { table: parse(text, { integersAsBigInt: true, maxDepth: 100 }) };
    } catch (error) {
        if (!(error instanceof TomlError)) throw error;
        return { issues: [issueAt(syntaxProblem(error, lines), lines, file)] };
    }
}
