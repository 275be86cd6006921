import type { GroupNode } from "../group";
import { runScript } from "../ssh";
import script from "./availableMemory.sh";

/** The lowest available memory of a node while something ran. */
export interface LowestMemory {
    readonly node: string;
    /** null: the node did not tell. */
    readonly gib: number | null;
}

const secondsBetweenLooks = 2;

/** Looks at every node's memory until `end`; then tells the lowest of each. */
export function watchMemory(nodes: readonly GroupNode[]): { end: () => Promise<LowestMemory[]> } {
    const stop = new AbortController();
    const looks = nodes.map(async (node): Promise<LowestMemory> => {
        let lowest = Infinity;
        await runScript(node, script, {
            args: [String(secondsBetweenLooks)],
            signal: stop.signal,
            onLine: (line) => {
                const kib = Number.parseInt(line, 10);
                if (kib < lowest) lowest = kib;
            },
        }).catch(() => undefined); // ended by us, or the node's own failure: a gate sees that
        const gib = lowest / 1024 ** 2;
        return { node: node.name, gib: Number.isFinite(gib) ? Number(gib.toFixed(1)) : null };
    });
    return {
        end: () => {
            stop.abort();
            return Promise.all(looks);
        },
    };
}
