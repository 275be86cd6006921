import type { Boot, LaunchResult, StackPlan } from "../plan";
import { compareFigures } from "./bootFigures";
import type { RankFigures } from "./bootTracker";
import type { ObservedNode } from "./launchState";

/** Starts that are remembered. */
const keptBoots = 5;

/** What the watch of a launch saw, up to its first completion. */
export interface Served {
    /** From the first rank's start. */
    readonly seconds: number;
    readonly ranks: readonly RankFigures[];
    readonly kvCacheTokens: number | null;
}

/** The result of a launch that ended in service, compared with what was expected and with the starts before it. */
export function launchResult(
    plan: Pick<StackPlan, "recipe" | "nodes" | "expected">,
    started: readonly ObservedNode[],
    served: Served,
): LaunchResult {
    const before = bootsOf(started);
    const figureOf = (node: string) => served.ranks.find((rank) => rank.node === node);
    const weights = served.ranks.map(({ node, weightsGib }) => ({ node, gib: weightsGib }));
    const sizes = weights.flatMap(({ gib }) => (gib === null ? [] : [gib]));
    const boot: Boot = {
        recipe: plan.recipe,
        ranks: plan.nodes.length,
        seconds: served.seconds,
        cold: coldStart(started),
        weightsGib: sizes.length === 0 ? null : Math.max(...sizes),
        kvCacheTokens: served.kvCacheTokens,
    };
    const { kvCacheTokens } = served;
    return {
        bootSeconds: served.seconds,
        kvCacheTokens,
        ranks: started.flatMap(({ node, containers }) =>
            containers.map(({ name }) => ({
                node,
                container: name,
                weightsGib: figureOf(node)?.weightsGib ?? null,
                lowestAvailableGib: figureOf(node)?.lowestAvailableGib ?? null,
            })),
        ),
        warnings: compareFigures({ weightsGib: weights, kvCacheTokens }, plan, before),
        boots: [boot, ...before].slice(0, keptBoots),
    };
}

/** The starts that the nodes remember; a node that is new to the group remembers none. */
export function bootsOf(nodes: readonly ObservedNode[]): readonly Boot[] {
    return nodes.find(({ record }) => record?.boots !== undefined)?.record?.boots ?? [];
}

/** One rank that compiles makes all wait; null when no node knows. */
function coldStart(nodes: readonly ObservedNode[]): boolean | null {
    const known = nodes.flatMap(({ record }) => (record?.cold === undefined ? [] : [record.cold]));
    return known.length === 0 ? null : known.includes(true);
}
