import type { ClusterConfig } from "./schema";
import type { ConfigIssue } from "./configIssues";

/** A share that the program mounts: there is one to mount, of a type that counts, and no password lies open. */
export function nasFits({
    nas: { manage, fsTypes },
    weights,
}: ClusterConfig): readonly ConfigIssue[] {
    if (manage === undefined) return [];
    const found: ConfigIssue[] = [];
    if (weights.location === "local") {
        found.push({
            path: "nas.manage",
            problem: "there is no NAS to mount: weights.location is local",
            expected: "weights.location: nas, or no such key",
        });
    }
    if (!fsTypes.includes(manage.type)) {
        found.push({
            path: "nas.manage.type",
            problem: `"${manage.type}" is not among nas.fsTypes`,
            expected: `one of ${fsTypes.join(", ")}`,
            fix: "add it to nas.fsTypes",
        });
    }
    if (/(?:^|,)pass(?:word2?|wd)?=/.test(manage.options)) {
        found.push({
            path: "nas.manage.options",
            problem: "a password stands there in plain text (value not shown)",
            expected: "credentials=FILE, a file that only root of the nodes can read",
        });
    }
    return found;
}
