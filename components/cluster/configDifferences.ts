import { parseDestination } from "./destination";
import type { Fabric } from "./types";

/** What was found of one node. */
export interface FoundNode {
    readonly node: string;
    readonly home: string;
    /** undefined: a group of one needs none. */
    readonly fabric?: Fabric;
    /** The key that the user's known_hosts have and the node shows. */
    readonly hostKey?: string;
}

/** A key of a node that the stack's file has otherwise. */
export interface Difference {
    /** Place in `nodes`. */
    readonly index: number;
    readonly node: string;
    readonly key: readonly string[];
    /** undefined: the key is not there. */
    readonly from: unknown;
    readonly to: string | number | readonly string[];
    /** false: the configuration is right without it, but better with it. */
    readonly needed: boolean;
}

type Block = Readonly<Record<string, unknown>>;

const isBlock = (value: unknown): value is Block =>
    typeof value === "object" && value !== null && !Array.isArray(value);

/** The keys of `nodes` that do not say what was found; `configured` as the file has it, unchecked. */
export function configDifferences(
    configured: readonly unknown[],
    found: readonly FoundNode[],
): readonly Difference[] {
    return found.flatMap((each, index) => {
        const raw = configured[index];
        const block = isBlock(raw) ? raw : {};
        return [...own(each, block), ...fabric(each, block)].map((difference) => ({
            index,
            node: each.node,
            ...difference,
        }));
    });
}

type Found = Omit<Difference, "index" | "node">;

function own({ home, hostKey }: FoundNode, block: Block): readonly Found[] {
    const { host, home: written, hostKey: pinned } = block;
    const implied = typeof host === "string" ? parseDestination(host).home : undefined;
    return [
        ...(hostKey === undefined || pinned !== undefined
            ? []
            : [{ key: ["hostKey"], from: undefined, to: hostKey, needed: false }]),
        ...((written ?? implied) === home
            ? []
            : [{ key: ["home"], from: written, to: home, needed: true }]),
    ];
}

function fabric({ fabric: found }: FoundNode, block: Block): readonly Found[] {
    if (found === undefined) return [];
    const written = isBlock(block["fabric"]) ? block["fabric"] : {};
    const { address, interface: name, hcas, mtu } = found;
    return Object.entries({ address, interface: name, hcas, mtu }).flatMap(
        ([key, to]): readonly Found[] => {
            const from = written[key];
            if (typeof to !== "object") {
                return from === to ? [] : [{ key: ["fabric", key], from, to, needed: true }];
            }
            const names: readonly unknown[] = Array.isArray(from) ? from : [];
            const right =
                names.length > 0 && names.every((each) => (to as unknown[]).includes(each));
            if (right && names.length === to.length) return [];
            return [{ key: ["fabric", key], from, to, needed: !right }];
        },
    );
}
