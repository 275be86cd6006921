type Levenshtein = typeof import("fastest-levenshtein");

/**
 * The name nearest to a misspelt one, whatever its case; undefined when none is near.
 *
 * @param slips letters that may be wrong, missing or too many; default: two, or a third of the name, and never half of it.
 */
export function nearest(
    name: string,
    known: readonly string[],
    slips = Math.max(2, name.length / 3),
): string | undefined {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only an error path needs it
    const { distance } = require("fastest-levenshtein") as Levenshtein;
    const far = (other: string) => distance(name.toLowerCase(), other.toLowerCase());
    const close = known.filter((other) => Math.abs(other.length - name.length) <= slips);
    const [best] = close
        .map((other) => ({ other, slips: far(other) }))
        .toSorted((a, b) => a.slips - b.slips);
    return best !== undefined && best.slips <= slips && best.slips * 2 < name.length
        ? best.other
        : undefined;
}
