import type { Issue } from "../issue";
import type { StackPlan } from "../plan";
import type { ObservedNode } from "./launchState";
import type { RankExit } from "./watchRank";

const goBack = "mend the cause, or put the previous recipe back, then run `pulumi up`";

/** The message for a rank that ended while the group was starting or being asked. */
export function rankExited(exit: RankExit, unreachable: readonly string[]): Issue {
    const rest =
        unreachable.length === 0
            ? "the other ranks were stopped, so that no half group holds memory"
            : `the other ranks were stopped, except on ${unreachable.join(", ")}, which did not answer`;
    const lines = exit.lastLines.map((line) => `    | ${line}`).join("\n");
    return {
        code: "rank-exited",
        severity: "error",
        file: exit.node,
        path: "",
        problem:
            `rank ${String(exit.rank)} ${howItEnded(exit)}; ${rest}` +
            (lines === "" ? "; it printed nothing" : `\n  last lines of its log:\n${lines}`),
        expected: "every rank to run until the group is taken down",
        fix: goBack,
    };
}

function howItEnded(exit: RankExit): string {
    if (exit.lost !== undefined) return `can no longer be watched: ${exit.lost}`;
    if (exit.exitCode === null) return "is gone: its container was removed";
    const memory = exit.oomKilled ? " (out of memory: killed by the kernel)" : "";
    // A head whose worker died exits with code 0 (facts.md).
    const zero = exit.exitCode === 0 ? " (the engine exits with 0 when a peer is lost, too)" : "";
    return `exited with code ${String(exit.exitCode)}${memory}${zero}`;
}

/** The message for a node that has no rank of this group, although its resource says so. */
export function ranksMissing(node: string): Issue {
    return {
        code: "not-ready",
        severity: "error",
        file: node,
        path: "",
        problem: "the rank's container is gone from this node",
        expected: "the container that the last `pulumi up` made",
        fix: "run `pulumi up --refresh`: it finds what is missing and starts the whole group anew",
    };
}

/** Ranks that another plan started: what `--target` on a part of the group leads to. */
export function ranksOfOtherPlans(
    plan: StackPlan,
    found: readonly ObservedNode[],
): readonly Issue[] {
    return found.flatMap(({ node, containers }) =>
        containers
            .filter(({ group }) => group !== plan.group)
            .map(({ name, group }): Issue => ({
                code: "not-ready",
                severity: "error",
                file: node,
                path: "",
                problem: `${name} is of group ${group}, the plan is ${plan.group}`,
                expected: "all ranks of one plan: a part of a group cannot be changed alone",
                fix: "run `pulumi up` without --target and --exclude",
            })),
    );
}

/** What was last known of a group that does not serve yet, or answers wrongly. */
export interface NotReady {
    readonly why: string;
    /** The API answered, but not with a token. */
    readonly broken: boolean;
    readonly seconds: number;
    readonly lastLines: readonly { readonly node: string; readonly line: string }[];
}

/** The message for a group that runs but did not serve in time. Nothing was stopped. */
export function notReady(plan: StackPlan, state: NotReady): Issue {
    const lines = state.lastLines.map(({ node, line }) => `    ${node} | ${line}`).join("\n");
    const after = `after ${String(Math.round(state.seconds))} s`;
    const head = plan.nodes[0];
    return {
        code: state.broken ? "no-completion" : "not-ready",
        severity: "error",
        ...(head === undefined ? {} : { file: head.name }),
        path: "",
        problem:
            (state.broken
                ? `the ranks run, but no token comes ${after}: ${state.why}`
                : `still running, not ready ${after}: ${state.why}`) +
            (lines === "" ? "" : `\n  last lines:\n${lines}`),
        expected: `a completion from ${plan.model.servedName}`,
        fix: state.broken
            ? goBack
            : "nothing was stopped: `pulumi up` again waits on, `launch.timeoutSeconds` sets the limit",
    };
}

/** The message for a launch that was ended from outside, by Ctrl-C for one. */
export function launchEnded(why: string): Issue {
    return {
        code: "not-ready",
        severity: "error",
        path: "",
        problem: `the launch was ended (${why}); the ranks go on booting on all nodes`,
        expected: "the launch to be left running until the group serves",
        fix: "`pulumi up` waits on, `pulumi destroy` takes the ranks down",
    };
}
