type Levenshtein = typeof import("fastest-levenshtein");

/** The name nearest to a misspelt one; undefined when none is near: two slips, or a third of its length. */
export function nearest(name: string, known: readonly string[]): string | undefined {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only an error path needs it
    const { closest, distance } = require("fastest-levenshtein") as Levenshtein;
    if (known.length === 0) return undefined;
    const best = closest(name.toLowerCase(), [...known]);
    return distance(name.toLowerCase(), best.toLowerCase()) <= Math.max(2, name.length / 3)
        ? best
        : undefined;
}
