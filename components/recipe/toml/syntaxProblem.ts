import type { TomlError } from "smol-toml";
import type { Issue } from "../../issue";
import { withoutSecrets } from "../secrets";
import { charName, show } from "../show";

type Problem = Pick<Issue, "line" | "column" | "problem" | "expected" | "fix">;
type Texts = Omit<Problem, "line" | "column">;

/** The word at a column, with the quotes around it. */
function wordAt(line: string, column: number): string {
    const [word = ""] = /^(?:"[^"]*"?|'[^']*'?|[^\s,\]}=#]+|.)/u.exec(line.slice(column - 1)) ?? [];
    return word;
}

/** A word in a message: with its own quotes, or in ours. */
const named = (word: string) =>
    /^["']|^the value$/.test(word) ? withoutSecrets(word) : show(word);

const isHeader = (line: string) => /^\s*\[/.test(line);

const withoutQuotes = (key: string) => key.replace(/^(["'])(.*)\1$/, "$2");

/** The key of a line or header, or the one at a column of it. */
function keyOf(line: string, column = 1): string {
    const header = /^\s*\[+\s*([^\]]*?)\s*\]/.exec(line)?.[1];
    const key = header ?? line.slice(column - 1).split("=", 1)[0] ?? "";
    return withoutQuotes(key.trim());
}

/** Where a key, or the table of that name, was defined before. */
function firstDefinition(
    lines: readonly string[],
    key: string,
    { line, column }: TomlError,
): string {
    const own = lines[line - 1] ?? "";
    const before = own.slice(0, column - 1);
    if (!isHeader(own) && before.includes(key)) return "on the same line";
    // A header names a table from the top; a plain key belongs to the header above it.
    const above = lines.slice(0, line - 1);
    const from = isHeader(own) ? 0 : above.findLastIndex(isHeader) + 1;
    const index = above.findIndex(
        (text, i) => i >= from && /=|^\s*\[/.test(text) && keyOf(text) === key,
    );
    return index < 0 ? "earlier in the file" : `on line ${String(index + 1)}`;
}

/** A key or table that is there already. */
function redefined(error: TomlError, lines: readonly string[]): Texts {
    const own = lines[error.line - 1] ?? "";
    const key = keyOf(own, error.column);
    const where = firstDefinition(lines, key, error);
    if (/^\s*\[\[/.test(own)) {
        return {
            problem: `[[${key}]] cannot extend ${key}, which is defined ${where}`,
            expected: "all its tables in one form",
            fix: `write every one of them as [[${key}]], or all in one list`,
        };
    }
    return {
        problem: `the key ${key} is defined ${where} already`,
        expected: "each key once",
        fix: "remove one of them: neither wins",
    };
}

const neverClosed: Texts = {
    problem: "the file ends inside a list or a table",
    expected: "a ] behind the last item of a list, a } behind that of a table",
};

/** What is wrong, by the parser's own words; they are looked at in this order. */
const known: readonly [
    RegExp,
    (word: string, error: TomlError, lines: readonly string[]) => Texts,
][] = [
    [/^trying to redefine/, (_, error, lines) => redefined(error, lines)],
    [
        /^expected comma or end/,
        (word) =>
            word === ""
                ? neverClosed
                : {
                      problem: `${named(word)} stands where a comma or the end of the list should`,
                      expected: "a comma between two items",
                      fix: "put a comma behind the item before it",
                  },
    ],
    [
        /^unfinished string/,
        () => ({
            problem: "the string that opens here is never closed",
            expected: "the same quotes at its end",
        }),
    ],
    [
        /^control characters are not allowed in strings/,
        () => ({
            problem: "the string of this line has no end",
            expected: "its closing quote on the same line",
            fix: 'for several lines write """ at both ends',
        }),
    ],
    [/^unfinished (array|table)/, () => neverClosed],
    [
        /^unrecognised escape|^invalid (?:non-hex|unicode|escape)/,
        () => ({
            problem: "a backslash with no meaning in TOML",
            expected: String.raw`\\ for a backslash, or one of \n \t \" \uXXXX`,
            fix: "or write the string in single quotes, where a backslash is plain text",
        }),
    ],
    [
        /^each key-value declaration must be followed/,
        (word) => ({
            problem: `${named(word)} stands behind the value`,
            expected: "one key and its value a line",
        }),
    ],
    [
        /^incomplete key-value|^illegal character in key|^unexpected end of key|^illegal empty/,
        (word, error, lines) => ({
            problem: isHeader(lines[error.line - 1] ?? "")
                ? "the header has no end"
                : word === ""
                  ? "a key without a value"
                  : `${named(word)} is no key with a value`,
            expected: "key = value; a comment begins with #",
        }),
    ],
    [
        /^invalid value|^unfinished numeric|^illegal (?:leading|underscore|character)/,
        (word) => ({
            problem: word === "" ? "the value is missing" : `${named(word)} is no value of TOML`,
            expected: 'text in quotes ("…"), a number, true, false, a list or a table',
        }),
    ],
];

/** Characters that word processors put in place of TOML's own. */
const lookalike = /[\u2018\u2019\u201c\u201d\u2010-\u2014\u2212\u00a0\u200b\ufeff\u3000]/;

/** The parser's finding in a user's words, with its place. */
export function syntaxProblem(error: TomlError, lines: readonly string[]): Problem {
    const { line, column } = error;
    const message = /^Invalid TOML document: (.*)/.exec(error.message)?.[1] ?? "";
    const source = lines[line - 1] ?? "";
    // A line that holds a secret is shown without it, and so is its word.
    const isSecret = withoutSecrets(source) !== source;
    const word = isSecret ? "the value" : wordAt(source, column);
    const texts = known.find(([pattern]) => pattern.test(message))?.[1](word, error, lines) ?? {
        problem: message === "" ? "not TOML" : message,
        expected: "TOML, see https://toml.io",
    };
    const [char] = lookalike.exec(word === "" ? source : word) ?? [];
    return {
        line,
        column,
        ...texts,
        ...(char === undefined
            ? {}
            : { fix: `${charName(char)} is in it: type the plain character of the keyboard` }),
    };
}
