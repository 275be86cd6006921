import { checkWeights, type NodeFacts } from "../../cluster";
import { type Issue, RecipeError } from "../../issue";
import type { NodePlan, StackPlan } from "../../plan";
import { collectFacts } from "../collectFacts";
import { copyWeights } from "./copyWeights";
import { mountShares } from "../nasShares";
import { decideTransfers } from "./decideTransfers";
import { fetchWeights, type TransferOptions } from "./fetchWeights";

/** What came of it, bytes. */
export interface WeightsResult {
    readonly revision: string | null;
    readonly downloaded: number;
    readonly copied: number;
    readonly warnings: readonly Issue[];
}

interface Look {
    readonly facts: readonly NodeFacts[];
    readonly issues: readonly Issue[];
}

const untouched = "Nothing that serves was stopped.";
const isError = ({ severity }: Issue) => severity === "error";

/** Throws when a node does not answer: nothing can be said of its weights then. */
async function look(
    plan: StackPlan,
    groupId: string | undefined,
    options: TransferOptions,
): Promise<Look> {
    const { signal } = options;
    const outcomes = await collectFacts(plan, signal === undefined ? {} : { signal });
    const failures = outcomes.flatMap((each) => (each.kind === "failed" ? each.issues : []));
    if (failures.length > 0) throw new RecipeError(failures, untouched);
    const facts = outcomes.flatMap((each) => (each.kind === "facts" ? [each.facts] : []));
    return { facts, issues: checkWeights(plan, facts, groupId) };
}

/**
 * Makes sure that every node has the plan's weights, whole: with `weights.prefetch` downloads and copies what is
 * missing, else only looks. A share that the program mounts is mounted first, where it is not. Throws RecipeError with
 * every fault of every node; what serves is never touched.
 */
export async function ensureWeights(
    given: StackPlan,
    groupId: string | undefined,
    options: TransferOptions,
): Promise<WeightsResult> {
    const { progress } = options;
    const plan = groupId === undefined ? given : await mountShares(given, groupId, progress.say);
    const before = await look(plan, groupId, options);
    // What a download would not mend: with prefetch, rules tell what it would as warnings.
    const hopeless = before.issues.filter(isError);
    if (hopeless.length > 0) throw new RecipeError(hopeless, untouched);
    const { downloaded, copied } = plan.weights.prefetch
        ? await transfer(plan, groupId, before, options)
        : { downloaded: 0, copied: 0 };
    const after = downloaded + copied > 0 ? await look(asVerified(plan), groupId, options) : before;
    const strict = checkWeights(asVerified(plan), after.facts, groupId);
    if (strict.some(isError)) throw new RecipeError(strict, untouched);
    const revision = after.facts[0]?.hub?.snapshot?.revision ?? null;
    return { revision, downloaded, copied, warnings: strict };
}

/** The plan under rules for which missing weights are a fault. */
function asVerified(plan: StackPlan): StackPlan {
    return { ...plan, weights: { ...plan.weights, prefetch: false } };
}

async function transfer(
    plan: StackPlan,
    groupId: string | undefined,
    { facts }: Look,
    options: TransferOptions,
): Promise<{ readonly downloaded: number; readonly copied: number }> {
    const faults = checkWeights(asVerified(plan), facts, groupId).filter(isError);
    const names = plan.nodes.map(({ name }) => name);
    const whole = names.filter((name) => !faults.some(({ file }) => file === name));
    const { fetchOn, copyFrom, copyTo } = decideTransfers(plan.weights.location, names, whole);
    const find = (name: string | undefined) => plan.nodes.find((node) => node.name === name);
    const fetcher = find(fetchOn);
    const downloaded = fetcher === undefined ? 0 : await fetchWeights(plan, fetcher, options);
    const from = find(copyFrom);
    if (from === undefined) return { downloaded, copied: 0 };
    const revision = await snapshotOn(plan, from, groupId, options);
    const to = plan.nodes.filter(({ name }) => copyTo.includes(name));
    const copied = await copyWeights({ plan, from, to, revision }, options);
    return { downloaded, copied: copied.reduce((sum, bytes) => sum + bytes, 0) };
}

/** The snapshot that the sender's rank would load. */
async function snapshotOn(
    plan: StackPlan,
    from: NodePlan,
    groupId: string | undefined,
    options: TransferOptions,
): Promise<string> {
    if (plan.model.revision !== undefined) return plan.model.revision;
    const { facts } = await look(plan, groupId, options);
    return facts.find(({ node }) => node === from.name)?.hub?.snapshot?.revision ?? "";
}
