import { RecipeError } from "../issue";

/**
 * Does the same for all nodes at once and waits for every one, so that all faults are told together.
 *
 * @param closing what became of the machines; default: what the first fault says.
 * @returns the results in the order of the nodes.
 * @throws RecipeError with every node's issues; anything else is a bug and keeps its stack.
 */
export async function onEveryNode<N, T>(
    nodes: readonly N[],
    work: (node: N) => Promise<T>,
    closing?: string,
): Promise<readonly T[]> {
    const ends = await Promise.allSettled(nodes.map(work));
    const faults = ends.flatMap((end) =>
        end.status === "rejected" ? [end.reason as unknown] : [],
    );
    const known = faults.flatMap((fault) => {
        if (fault instanceof RecipeError) return [fault];
        throw fault;
    });
    if (known[0] !== undefined) {
        throw new RecipeError(
            known.flatMap(({ issues }) => issues),
            closing ?? known[0].closing,
        );
    }
    return ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
}
