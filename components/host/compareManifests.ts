import type { Issue } from "../issue";
import { type Manifest, manifestLines } from "./manifest";

export interface NodeManifest {
    readonly node: string;
    /** null: an image without Python. */
    readonly manifest: Manifest | null;
}

/** Differences told of one node; more are counted. */
const shownDifferences = 12;

/**
 * Every difference between the first node's image and the others', with both values.
 * @param fix what to do about it
 */
export function compareManifests(
    manifests: readonly NodeManifest[],
    image: string,
    fix: string,
): readonly Issue[] {
    const [head, ...others] = manifests;
    if (head === undefined) return [];
    return others.flatMap((other) => differences(head, other, image, fix));
}

function differences(
    head: NodeManifest,
    other: NodeManifest,
    image: string,
    fix: string,
): readonly Issue[] {
    const issue = (problem: string): Issue => ({
        code: "image",
        severity: "error",
        file: other.node,
        path: "",
        problem,
        expected: `the same content of ${image} on all nodes`,
        fix,
    });
    if (head.manifest === null || other.manifest === null) {
        const has = ({ node, manifest }: NodeManifest) =>
            `${manifest === null ? "no Python" : `Python ${manifest.python}`} on ${node}`;
        return head.manifest === other.manifest
            ? []
            : [issue(`the image has ${has(head)} and ${has(other)}`)];
    }
    const [first, second] = [manifestLines(head.manifest), manifestLines(other.manifest)];
    const names = [...new Set([...first.keys(), ...second.keys()])];
    const differing = names.filter((name) => first.get(name) !== second.get(name));
    const shown = differing
        .slice(0, shownDifferences)
        .map((name) =>
            issue(
                `${name} is ${show(second.get(name))} on ${other.node} and ${show(first.get(name))} on ${head.node}`,
            ),
        );
    const rest = differing.length - shown.length;
    return rest === 0 ? shown : [...shown, issue(`${String(rest)} more differences`)];
}

/** A version as it is, a digest's beginning. */
function show(value: string | undefined): string {
    if (value === undefined) return "absent";
    return /^[0-9a-f]{64}$/.test(value) ? value.slice(0, 12) : value;
}
