import { RecipeError } from "../issue";
import type { LaunchResult, StackPlan } from "../plan";
import { type GroupNode, observeAll, startRanks, stopGroup, stopRest, writeRecords } from "./group";
import { launchEnded, notReady, ranksMissing, ranksOfOtherPlans } from "./launchIssues";
import { bootsOf, launchResult } from "./launchResult";
import { decideLaunch, exitedSinceStop, type ObservedNode } from "./launchState";
import { dropPageCaches } from "./pageCache";
import type { Progress } from "./progress";
import { rankEnded } from "./rankEndIssue";
import { waitUntilServing } from "./serving";

export interface LaunchInput {
    readonly plan: StackPlan;
    readonly groupId: string;
}

export interface LaunchOptions {
    readonly apiKey?: string;
    readonly progress: Progress;
    /** Shows every line of every rank's log. */
    readonly verbose: boolean;
    /** Ends the wait; the ranks go on. */
    readonly signal: AbortSignal;
}

// What became of the machines, said below the problem (the previous group is gone by now).
const noneServes = "The group does not serve; what served before it was stopped.";
/** A rank that boots has nothing to hand over, and its group's memory is wanted back at once. */
const bootingGraceSeconds = 1;
const nothingStopped = "The ranks were left as they are.";

/**
 * Makes sure that all ranks were started together, then waits until the group serves a real completion.
 *
 * Throws RecipeError: rank-exited (the rest of the group is stopped), no-completion or not-ready (nothing
 * is stopped), unreachable.
 */
export async function launch(input: LaunchInput, options: LaunchOptions): Promise<LaunchResult> {
    const { plan, groupId } = input;
    const { progress } = options;
    const found = await observeAll(plan.nodes, groupId);
    const mixed = ranksOfOtherPlans(plan, found);
    if (mixed.length > 0) throw new RecipeError(mixed, noneServes);
    const started = await startTogether(input, found, progress);
    const outcome = await waitUntilServing(input, started, options);
    switch (outcome.kind) {
        case "serving": {
            // A group that already served keeps the figures of its boot.
            const known = started[0]?.record?.result;
            if (known !== undefined) return known;
            const result = launchResult(plan, started, outcome.served);
            for (const warning of result.warnings) progress.say("", `warning: ${warning}`);
            await recordLaunch(plan.nodes, groupId, started, result);
            return result;
        }
        case "rank-ended": {
            const { end } = outcome;
            progress.say(end.node, `rank ${String(end.rank)} has ended: stopping the others`);
            const unreachable = await stopRest(plan.nodes, groupId, bootingGraceSeconds);
            throw new RecipeError([rankEnded(end, unreachable)], noneServes);
        }
        case "ended":
            throw new RecipeError([launchEnded(outcome.why)], nothingStopped);
        case "not-ready":
            throw new RecipeError([notReady(plan, outcome)], nothingStopped);
        default:
            return outcome satisfies never;
    }
}

/** Starts what has to be started; afterwards every node's record names the ranks of this launch. */
async function startTogether(
    { plan, groupId }: LaunchInput,
    found: readonly ObservedNode[],
    progress: Progress,
): Promise<readonly ObservedNode[]> {
    const decision = decideLaunch(found);
    switch (decision.kind) {
        case "wait-on":
            progress.say("", "all ranks run since their launch: waiting on");
            return found;
        case "restart":
            progress.say("", `${decision.reason}: stopping all ranks, starting them together`);
            await stopGroup(plan.nodes, groupId);
            await dropPageCaches(plan, progress.say);
            await startRanks(plan.nodes, groupId);
            break;
        case "complete":
            await startRanks(notYetStarted(plan.nodes, found), groupId);
            break;
        default:
            return decision satisfies never;
    }
    const started = await observeAll(plan.nodes, groupId);
    const missing = started.filter((node) => node.containers.length === 0);
    if (missing.length > 0)
        throw new RecipeError(
            missing.map(({ node }) => ranksMissing(node)),
            noneServes,
        );
    await recordLaunch(plan.nodes, groupId, started);
    progress.say("", `${String(plan.nodes.length)} ranks started together`);
    return started;
}

/** A rank that has run since the stop and ended is not started again: its end is this launch's result. */
function notYetStarted(
    nodes: readonly GroupNode[],
    found: readonly ObservedNode[],
): readonly GroupNode[] {
    return nodes.filter((_, index) => {
        const seen = found[index];
        return seen !== undefined && exitedSinceStop(seen) === undefined;
    });
}

async function recordLaunch(
    nodes: readonly GroupNode[],
    groupId: string,
    started: readonly ObservedNode[],
    result?: LaunchResult,
): Promise<void> {
    const ranks = started.flatMap(({ node, containers }) =>
        containers.map(({ id, startedAt }) => ({ node, id, startedAt })),
    );
    await writeRecords(nodes, groupId, (node) => {
        const record = started.find((seen) => seen.node === node.name)?.record;
        return {
            launch: record?.launch ?? "",
            stoppedAt: record?.stoppedAt ?? "",
            ranks,
            ...(record?.cold === undefined ? {} : { cold: record.cold }),
            boots: result?.boots ?? bootsOf(started),
            ...(result === undefined ? {} : { result }),
        };
    });
}
