/** What has to be done so that every node has the weights. */
export interface Transfers {
    /** Node that downloads, if one must. */
    readonly fetchOn?: string;
    /** Node that hands out what it has. */
    readonly copyFrom?: string;
    readonly copyTo: readonly string[];
}

/**
 * Decides who downloads and who copies: a share is filled once, local disks from the first node that has all.
 *
 * @param nodes by rank.
 * @param whole names of the nodes that have all weights.
 */
export function decideTransfers(
    location: "nas" | "local",
    nodes: readonly string[],
    whole: readonly string[],
): Transfers {
    const [head = ""] = nodes;
    const source = nodes.find((name) => whole.includes(name));
    const fetch = source === undefined ? { fetchOn: head } : {};
    if (location === "nas") return { ...fetch, copyTo: [] };
    const copyFrom = source ?? head;
    const copyTo = nodes.filter((name) => name !== copyFrom && !whole.includes(name));
    return copyTo.length === 0 ? { ...fetch, copyTo } : { ...fetch, copyFrom, copyTo };
}
