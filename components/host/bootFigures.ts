import type { Boot, StackPlan } from "../plan";

/** What a start showed of its size. */
export interface Figures {
    readonly weightsGib: readonly { readonly node: string; readonly gib: number | null }[];
    readonly kvCacheTokens: number | null;
}

/** Part of a figure by which a start may differ from the last one without a warning. */
const usualTolerance = 0.1;

/**
 * A line for each figure that is too far from what the image's own notes say, or from the last start of this
 * recipe on as many ranks. Another size mostly means another checkpoint, another quantization or less memory.
 */
export function compareFigures(
    figures: Figures,
    plan: Pick<StackPlan, "recipe" | "nodes" | "expected">,
    boots: readonly Boot[],
): readonly string[] {
    const { expected } = plan;
    const last = boots.find(
        (boot) => boot.recipe === plan.recipe && boot.ranks === plan.nodes.length,
    );
    const tolerance = expected?.tolerance ?? usualTolerance;
    const known: readonly Known[] = [
        {
            whose: "the image's smoke.toml says",
            weightsGib: expected?.weightsGib,
            kvCacheTokens: expected?.kvCacheTokens,
            tolerance,
        },
        {
            whose: "at the last start",
            weightsGib: last?.weightsGib,
            kvCacheTokens: last?.kvCacheTokens,
            tolerance: usualTolerance,
        },
    ];
    return known.flatMap((one) => compareWith(figures, one));
}

interface Known {
    readonly whose: string;
    readonly weightsGib: number | null | undefined;
    readonly kvCacheTokens: number | null | undefined;
    readonly tolerance: number;
}

function compareWith(figures: Figures, known: Known): readonly string[] {
    const count = (tokens: number) => tokens.toLocaleString("en-US");
    const gib = (size: number) => `${size.toFixed(1)} GiB`;
    const weights = figures.weightsGib.flatMap((rank) =>
        compare(rank.gib, known.weightsGib, known, gib).map(
            (text) => `${rank.node}: weights of ${text}`,
        ),
    );
    const cache = compare(figures.kvCacheTokens, known.kvCacheTokens, known, count);
    return [...weights, ...cache.map((text) => `KV cache tokens: ${text}`)];
}

function compare(
    seen: number | null,
    known: number | null | undefined,
    { whose, tolerance }: Known,
    show: (figure: number) => string,
): readonly string[] {
    if (seen === null || known == null || !(known > 0)) return [];
    const share = seen / known - 1;
    if (Math.abs(share) <= tolerance) return [];
    const percent = Math.max(1, Math.round(Math.abs(share) * 100));
    const than = share < 0 ? "less" : "more";
    return [`${show(seen)}, ${String(percent)} % ${than} than ${whose} (${show(known)})`];
}
