/** Every code a user can meet, with the contract in docs (design: "Issue codes"). */
export type IssueCode =
    // recipes
    | "toml-syntax"
    | "unknown-key"
    | "misplaced-key"
    | "missing-key"
    | "wrong-type"
    | "bad-value"
    | "conflict"
    | "managed-flag"
    | "managed-env"
    | "bad-json"
    | "bad-mount"
    | "secret-in-recipe"
    | "unknown-flag"
    | "unpinned-model"
    | "ineffective"
    // nodes
    | "unreachable"
    | "host-key"
    | "docker"
    | "fabric"
    | "rdma"
    | "nas"
    | "weights"
    | "disk"
    | "memory"
    | "port-taken"
    | "architecture"
    | "image"
    | "kernel"
    | "clock"
    // launch
    | "rank-exited"
    | "not-ready"
    | "no-completion"
    | "gate-failed"
    // stacks
    | "bad-config";

export type Severity = "error" | "warning";

/** One problem: where it is, what it is, what was expected, how to put it right. Never holds a secret. */
export interface Issue {
    readonly code: IssueCode;
    readonly severity: Severity;
    /** File as the user would type it, or a node's name for what was found on a node. */
    readonly file?: string;
    /** 1-based. */
    readonly line?: number;
    /** 1-based. */
    readonly column?: number;
    /** Key in the file, as `extra_mounts[0].host`; empty for the whole file. */
    readonly path: string;
    /** What is there now, both values of a contradiction included. */
    readonly problem: string;
    /** What should be there. */
    readonly expected: string;
    /** What to type or run. */
    readonly fix?: string;
    /** The source line, for the caret of the rendering. */
    readonly source?: string;
}

/** The user's mistakes, all at once. Only index.ts and the command line turn it into output. */
export class RecipeError extends Error {
    override readonly name = "RecipeError";
    /**
     * @param closing what became of the machines; the default must be true where it is used.
     */
    constructor(
        readonly issues: readonly Issue[],
        readonly closing = "Nothing was changed.",
    ) {
        super(issues.map((issue) => `${issue.path}: ${issue.problem}`).join("\n"));
    }
}

/** Problem and expectation in one sentence, for JSON and logs. */
export function messageOf({ problem, expected }: Issue): string {
    return `${problem}; expected ${expected}`;
}

/** Longest part of a source line that is shown, in characters. */
const excerptLength = 100;

/** Tabs and unprintable characters of a line as one visible character each, so that the caret stands below its place. */
function visible(line: string): string {
    return line.replace(/\t/g, " ").replace(/\p{C}/gu, "\u{FFFD}");
}

/** The source line with a caret below the column, cut around it when long. */
function excerpt({ source, line, column }: Issue): readonly string[] {
    if (source === undefined || line === undefined || source.trim() === "") return [];
    const start = Math.max(0, (column ?? 1) - 1 - excerptLength / 2);
    const from = source.length <= excerptLength ? 0 : start;
    const shown = visible(source.slice(from, from + excerptLength)).trimEnd();
    const [before, after] = [
        from > 0 ? "\u2026" : "",
        from + excerptLength < source.length ? "\u2026" : "",
    ];
    const margin = String(line);
    const caret = " ".repeat(before.length + Math.max(0, (column ?? 1) - 1 - from));
    return [
        `    ${margin} | ${before}${shown}${after}`,
        ...(column === undefined ? [] : [`    ${" ".repeat(margin.length)} | ${caret}^`]),
    ];
}

/** Where an issue is, as compilers write it, so that editors make it a link: `file:line:column`. */
function place({ file, line, column }: Issue): string {
    return [file, line, column].filter((part) => part !== undefined).join(":");
}

function render(issue: Issue): string {
    const where = place(issue);
    const head = [
        ...(where === "" ? [] : [`${where} `]),
        ...(issue.severity === "warning" ? ["warning:"] : []),
        ...(issue.path === "" ? [] : [`${issue.path}:`]),
        issue.problem,
    ].join(" ");
    const end = issue.fix === undefined ? "" : `; ${issue.fix}`;
    return [head, ...excerpt(issue), `    expected ${issue.expected}${end}`].join("\n");
}

const count = (n: number, word: string) => `${String(n)} ${word}${n === 1 ? "" : "s"}`;

/** Issues of one file together, in the order of the files; of a file in line order. */
function inOrder(issues: readonly Issue[]): readonly Issue[] {
    const files = [...new Set(issues.map(({ file }) => file))];
    const line = (issue: Issue) => issue.line ?? 0;
    const column = (issue: Issue) => issue.column ?? 0;
    return issues.toSorted(
        (a, b) =>
            files.indexOf(a.file) - files.indexOf(b.file) ||
            line(a) - line(b) ||
            column(a) - column(b),
    );
}

/**
 * Issues as a person reads them, by file and line: each with its place, source line, what was expected and the fix;
 * then how many there are and, after errors, what did not happen (`closing`). Empty text for no issues.
 */
export function renderIssues(issues: readonly Issue[], closing = "Nothing was changed."): string {
    if (issues.length === 0) return "";
    const errors = issues.filter(({ severity }) => severity === "error").length;
    const warnings = issues.length - errors;
    const counts = [
        ...(errors > 0 ? [count(errors, "problem")] : []),
        ...(warnings > 0 ? [count(warnings, "warning")] : []),
    ].join(", ");
    const last = errors > 0 && closing !== "" ? `${counts}. ${closing}` : `${counts}.`;
    return [...inOrder(issues).map(render), last].join("\n");
}
