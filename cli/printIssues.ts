import { messageOf, renderIssues, type Issue } from "../components/issue";

/** Issues as every command's `--json` prints them. */
export function issuesJson(issues: readonly Issue[]): string {
    const list = issues.map((issue) => {
        const { code, severity, file, line, column, path, fix } = issue;
        return { code, severity, file, line, column, path, message: messageOf(issue), fix };
    });
    return JSON.stringify({ issues: list }, null, 2);
}

/** Issues in place of a command's result: JSON on stdout, where a program reads it, or a page on stderr. */
export function printIssues(issues: readonly Issue[], json: boolean, closing?: string): void {
    if (json) process.stdout.write(`${issuesJson(issues)}\n`);
    else process.stderr.write(`${renderIssues(issues, closing)}\n`);
}
