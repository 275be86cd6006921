import { RecipeError } from "./issue";

/** What the operating system says where a user's folder cannot be written to. */
const refusals: Readonly<Record<string, string>> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the file system is read-only",
    ENOSPC: "no space is left",
    EDQUOT: "the quota is used up",
    ENOTDIR: "a part of its path is a file",
};

/**
 * Runs what writes to this machine's disk.
 * @throws RecipeError for a place that cannot be written to; every other error as it is.
 */
export function writing<T>(write: () => T): T {
    try {
        return write();
    } catch (error) {
        const { code = "", path, dest } = error as NodeJS.ErrnoException & { dest?: string };
        const why = refusals[code];
        if (why === undefined) throw error;
        throw new RecipeError([
            {
                code: "disk",
                severity: "error",
                file: dest ?? path ?? "",
                path: "",
                problem: `this machine cannot write there: ${why}`,
                expected: "a place that the user who runs this may write to",
                fix: "give that user the folder, or run this as its owner",
            },
        ]);
    }
}
