import type { IssueCode, Severity } from "../issue";

/** Keys and indices from the top of the recipe, e.g. `["extra_mounts", 0, "host"]`. */
export type Path = readonly (string | number)[];

/** Words for where another part of the recipe stands: `line 7`. */
export type LineOf = (path: Path) => string;

/** A problem whose line is not known yet: rules name the place by its path. */
export interface Finding {
    readonly code: IssueCode;
    /** Default: error. */
    readonly severity?: Severity;
    readonly at: Path;
    /** What the caret points at; default: the value. */
    readonly target?: "key";
    /** There is no place: what is wrong is that something is not there. */
    readonly nowhere?: true;
    /** What was found; of a contradiction both values and where the other one is. */
    readonly problem: string | ((lineOf: LineOf) => string);
    readonly expected: string;
    readonly fix?: string;
    /** Places of secrets: their lines are not shown, and nothing else is said of them. */
    readonly hides?: readonly Path[];
}

const quoted = (key: string) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

/** `extra_mounts[0].host`. */
export function pathText(path: Path): string {
    return path
        .map((key, i) =>
            typeof key === "number" ? `[${String(key)}]` : (i > 0 ? "." : "") + quoted(key),
        )
        .join("");
}
