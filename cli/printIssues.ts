import { messageOf, type Issue } from "../components/issue";

/** Issues as every command's `--json` prints them. */
export function issuesJson(issues: readonly Issue[]): string {
    const list = issues.map((issue) => {
        const { code, severity, file, line, column, path, fix } = issue;
        return { code, severity, file, line, column, path, message: messageOf(issue), fix };
    });
    return JSON.stringify({ issues: list }, null, 2);
}
