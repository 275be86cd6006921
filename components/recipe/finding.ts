import type { IssueCode, Severity } from "../issue";

/** Keys and indices from the top of the recipe, e.g. `["extra_mounts", 0, "host"]`. */
export type Path = readonly (string | number)[];

/** A problem whose line is not known yet: rules name the place by its path. */
export interface Finding {
    readonly code: IssueCode;
    /** Default: error. */
    readonly severity?: Severity;
    readonly at: Path;
    /** What the caret points at; default: the value. */
    readonly target?: "key";
    /** What was found; both values of a contradiction. */
    readonly problem: string;
    readonly expected: string;
    readonly fix?: string;
    /** The source lines of the value must not be shown. */
    readonly secret?: true;
}

/** `extra_mounts[0].host`. */
export function pathText(path: Path): string {
    return path
        .map((key, i) =>
            typeof key === "number" ? `[${String(key)}]` : (i ? "." : "") + quoted(key),
        )
        .join("");
}

const quoted = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
