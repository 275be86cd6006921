import { parseCluster } from "./parseCluster";
import type { ConfigSource } from "./placeIssues";
import type { Node } from "./types";

/** The machines of a configuration whose other parts may be wrong or missing yet. */
export interface ListedNodes {
    readonly nodes: readonly Node[];
    /** ssh_config file for `ssh -F`, relative to the project. */
    readonly sshConfig?: string;
    /** `nodes` as the file has it, for comparison. */
    readonly raw: readonly unknown[];
}

const needed = ["name", "host", "hostKey", "spare"];

function withoutRest(node: unknown): unknown {
    if (typeof node !== "object" || node === null || Array.isArray(node)) return node;
    return Object.fromEntries(Object.entries(node).filter(([key]) => needed.includes(key)));
}

/** `pulumi config set` writes a list as JSON text. */
function listOf(value: unknown): unknown {
    if (typeof value !== "string") return value;
    try {
        return JSON.parse(value) as unknown;
    } catch {
        return value;
    }
}

/**
 * Reads from a stack's configuration only what is needed to reach the nodes.
 *
 * @param raw keys without namespace, as the file has them.
 * @throws RecipeError with every problem of those keys.
 */
export function parseNodes(
    raw: Readonly<Record<string, unknown>>,
    source: ConfigSource,
): ListedNodes {
    const { sshConfig } = raw;
    const nodes = listOf(raw["nodes"]);
    const cluster = parseCluster(
        {
            // Not looked at, but required.
            recipe: "any",
            nodes: Array.isArray(nodes) ? nodes.map(withoutRest) : nodes,
            ...(sshConfig === undefined ? {} : { sshConfig }),
        },
        source,
    );
    return {
        nodes: cluster.nodes,
        ...(cluster.sshConfig === undefined ? {} : { sshConfig: cluster.sshConfig }),
        raw: Array.isArray(nodes) ? nodes : [],
    };
}
