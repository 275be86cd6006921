import type { Issue } from "../issue";
import type { StackPlan } from "../plan";
import type { ObservedNode } from "./launchState";

export const goBack = "mend the cause, or put the previous recipe back, then run `pulumi up`";

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
    readonly lastLines: readonly {
        readonly node: string;
        readonly line: string;
        readonly seconds: number;
    }[];
}

/** The message for a group that runs but did not serve in time. Nothing was stopped. */
export function notReady(plan: StackPlan, state: NotReady): Issue {
    const lines = state.lastLines
        .filter(({ line }) => line !== "")
        .map(({ node, line, seconds }) => `    ${node}, ${String(seconds)} s ago | ${line}`)
        .join("\n");
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
