import type { GroupNode } from "./group";
import { runScript } from "./ssh";
import stallScript from "./stall.sh";

/** What each node does while no rank says anything new; one text a node. A node that does not answer says so. */
export function lookAtStall(nodes: readonly GroupNode[]): Promise<readonly string[]> {
    return Promise.all(
        nodes.map(async (node) => {
            try {
                const { stdout } = await runScript(node, stallScript, { timeoutSeconds: 15 });
                return describeStall(stdout);
            } catch {
                return "does not answer";
            }
        }),
    );
}

/** `18.2 of 121.7 GiB available, GPU 31 W, 96 % busy`; what the node does not tell is left out. */
export function describeStall(said: string): string {
    const figure = (pattern: RegExp) => {
        const text = pattern.exec(said)?.[1];
        return text === undefined ? undefined : Number(text);
    };
    const [total, available] = [figure(/^total (\d+)$/m), figure(/^available (\d+)$/m)];
    const watts = figure(/^gpu ([\d.]+),/m);
    const busy = figure(/^gpu [^,]*, ([\d.]+)$/m);
    const gib = (kib: number) => (kib / 2 ** 20).toFixed(1);
    const gpu = [
        ...(watts === undefined ? [] : [`${String(Math.round(watts))} W`]),
        ...(busy === undefined ? [] : [`${String(Math.round(busy))} % busy`]),
    ];
    return [
        ...(available === undefined || total === undefined
            ? ["memory not known"]
            : [`${gib(available)} of ${gib(total)} GiB available`]),
        ...(gpu.length === 0 ? [] : [`GPU ${gpu.join(", ")}`]),
    ].join(", ");
}
