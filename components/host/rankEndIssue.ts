import type { Issue } from "../issue";
import { goBack } from "./launchIssues";
import type { EndReason, RankEnd } from "./rankEnd";

/** The message for a rank whose end ended the launch. */
export function rankEnded(end: RankEnd, unreachable: readonly string[]): Issue {
    const all = end.reason.kind === "fatal-line" || end.reason.kind === "low-memory";
    const rest =
        unreachable.length === 0
            ? `${all ? "all" : "the other"} ranks were stopped, so that no half group holds memory`
            : `the other ranks were stopped, except on ${unreachable.join(", ")}, which did not answer`;
    const lines = end.lastLines.map((line) => `    | ${line}`).join("\n");
    return {
        code: end.reason.kind === "low-memory" ? "memory" : "rank-exited",
        severity: "error",
        file: end.node,
        path: "",
        problem:
            `rank ${String(end.rank)} ${howItEnded(end.reason)}; ${rest}` +
            (lines === "" ? "; it printed nothing" : `\n  last lines of its log:\n${lines}`),
        expected:
            end.reason.kind === "low-memory"
                ? "4 GiB and more to stay available while weights load"
                : "every rank to run until the group is taken down",
        fix: end.advice === undefined ? goBack : `${end.advice}; then \`pulumi up\``,
    };
}

function howItEnded(reason: EndReason): string {
    switch (reason.kind) {
        case "exited":
            return exited(reason.exitCode, reason.oomKilled);
        case "restarted":
            return "was started anew by someone else: ranks never rejoin their group";
        case "removed":
            return "is gone: its container was removed";
        case "lost":
            return `can no longer be watched: ${reason.why}`;
        case "fatal-line":
            return `said what never ends well (${reason.line.trim()})`;
        case "oom-kill":
            return "lost a process to the kernel, which ran out of memory";
        case "low-memory":
            return `left ${reason.availableGib.toFixed(1)} GiB of memory available on the node while weights loaded`;
        default:
            return reason satisfies never;
    }
}

function exited(code: number, oomKilled: boolean): string {
    const text = `exited with code ${String(code)}`;
    if (oomKilled) return `${text} (out of memory: killed by the kernel)`;
    if (code === 137) return `${text} (killed, as the kernel does when memory runs out)`;
    // A head whose worker died exits with code 0 (facts.md).
    return code === 0 ? `${text} (the engine exits with 0 when a peer is lost, too)` : text;
}
