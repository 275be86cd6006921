import type { ConfigIssue } from "./configIssues";
import type { ClusterConfig } from "./schema";
import { show } from "./configIssues";

/**
 * Keys that are part of the configuration, but whose other values this version does not act on yet. They are refused
 * rather than ignored; a line goes when its feature comes.
 */
const notBuilt: readonly (readonly [
    path: string,
    accepted: unknown,
    get: (c: ClusterConfig) => unknown,
])[] = [["nas.manage", undefined, (c) => c.nas.manage]];

function refuse(path: string, value: unknown, accepted: unknown): ConfigIssue {
    return {
        path,
        problem: `${accepted === undefined ? "" : `${show(value)}: `}this version does not do that yet`,
        expected: accepted === undefined ? "no such key" : show(accepted),
        fix: "remove the line",
    };
}

/** Refuses what would be ignored. */
export function notBuiltYet(config: ClusterConfig): readonly ConfigIssue[] {
    const spares = config.nodes.flatMap((node, i) =>
        node.spare ? [refuse(`nodes[${String(i)}].spare`, true, false)] : [],
    );
    return [
        ...spares,
        ...notBuilt.flatMap(([path, accepted, get]) =>
            get(config) === accepted ? [] : [refuse(path, get(config), accepted)],
        ),
    ];
}

/** Whether only a key's default is accepted so far. */
export function isNotBuilt(path: string): boolean {
    return path === "nodes[].spare" || notBuilt.some(([name]) => name === path);
}
