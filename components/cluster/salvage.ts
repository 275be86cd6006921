import type * as z from "zod";

type Block = Readonly<Record<string, unknown>>;

const isBlock = (value: unknown): value is Block =>
    typeof value === "object" && value !== null && !Array.isArray(value);

const without = (block: Block, key: PropertyKey): Block =>
    Object.fromEntries(Object.entries(block).filter(([name]) => name !== key));

const unreadable = (i: number): Block => ({
    name: `unreadable-${String(i)}`,
    host: `unreadable-${String(i)}`,
});

/** Cuts the wrong part out of a node; what every node needs gets a stand-in. */
function cutNode(node: unknown, i: number, key: PropertyKey | undefined): Block {
    if (!isBlock(node) || key === undefined) return unreadable(i);
    return key === "name" || key === "host"
        ? { ...node, [key]: unreadable(i)[key] }
        : without(node, key);
}

function cut(values: Block, [top, second, third]: readonly PropertyKey[]): Block {
    const key = String(top);
    const value = values[key];
    if (key === "recipe") return { ...values, recipe: "unreadable" };
    if (key === "nodes") {
        if (!Array.isArray(value) || second === undefined) {
            return { ...values, nodes: [unreadable(0)] };
        }
        return {
            ...values,
            nodes: value.map((node: unknown, i) => (i === second ? cutNode(node, i, third) : node)),
        };
    }
    if (key === "apiKey") return { ...values, apiKey: "unreadable" };
    return isBlock(value) && second !== undefined
        ? { ...values, [key]: without(value, second) }
        : without(values, key);
}

/**
 * What is left of a configuration without its wrong parts: enough for the rules over the rest, so that one run shows
 * all problems.
 */
export function salvage(values: Block, found: readonly z.core.$ZodIssue[]): Block {
    return found
        .flatMap((issue) =>
            issue.code === "unrecognized_keys"
                ? issue.keys.map((key) => [...issue.path, key])
                : [issue.path],
        )
        .reduce(cut, values);
}
