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
    constructor(readonly issues: readonly Issue[]) {
        super(issues.map((issue) => `${issue.path}: ${issue.problem}`).join("\n"));
    }
}
