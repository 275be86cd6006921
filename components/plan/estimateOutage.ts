import type { Boot, StackPlan } from "./types";

/**
 * How long a group will not serve while it starts anew, in words: by earlier starts of the recipe on as many ranks,
 * with warm and with cold JIT caches; else by the image's notes.
 */
export function estimateOutage(
    plan: Pick<StackPlan, "recipe" | "nodes" | "expected">,
    boots: readonly Boot[],
): string {
    const same = boots.filter(
        (boot) => boot.recipe === plan.recipe && boot.ranks === plan.nodes.length,
    );
    const warm = same.filter(({ cold }) => cold !== true);
    const cold = same.filter((boot) => boot.cold === true);
    const known = [
        ...(warm.length === 0 ? [] : [`${typical(warm)} (earlier starts: ${listed(warm)})`]),
        ...(cold.length === 0 ? [] : [`${typical(cold)} with cold JIT caches (${listed(cold)})`]),
    ];
    if (known.length > 0) return `without service for about ${known.join(", or ")}`;
    const seconds = plan.expected?.bootSeconds;
    if (seconds === undefined)
        return "without service until it has booted: this recipe has not started here yet";
    return `without service for about ${duration(seconds)} with warm JIT caches (the image's smoke.toml says so)`;
}

/** The middle one: a start that waited for something else must not count. */
function typical(boots: readonly Boot[]): string {
    const seconds = boots.map((boot) => boot.seconds).toSorted((a, b) => a - b);
    return duration(seconds[Math.floor(seconds.length / 2)] ?? 0);
}

function listed(boots: readonly Boot[]): string {
    return `${boots.map(({ seconds }) => String(Math.round(seconds))).join(", ")} s`;
}

function duration(seconds: number): string {
    return seconds < 120
        ? `${String(Math.round(seconds))} s`
        : `${String(Math.round(seconds / 60))} min`;
}
