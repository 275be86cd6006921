import { parse, TomlError } from "smol-toml";
import type { Issue } from "../issue";

/** TOML's tables as they come from the parser. */
export type Table = Readonly<Record<string, unknown>>;

/** The text as every checkout has it: without a byte order mark, line ends as LF. */
export function normalise(text: string): string {
    return text.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n");
}

/** A recipe's tables, or the place where the text is no TOML. */
export function readToml(text: string, file: string): Table | Issue {
    try {
        return parse(text, { integersAsBigInt: "asNeeded" });
    } catch (error) {
        if (!(error instanceof TomlError)) throw error;
        return {
            code: "toml-syntax",
            severity: "error",
            file,
            line: error.line,
            column: error.column,
            path: "",
            problem: /^Invalid TOML document: (.*)/.exec(error.message)?.[1] ?? "not TOML",
            expected: "TOML, see https://toml.io",
            source: text.split("\n")[error.line - 1] ?? "",
        };
    }
}
