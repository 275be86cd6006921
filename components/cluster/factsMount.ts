import type { MountFacts, NodeFacts, PathFacts } from "./facts";

/** The mount that carries a path, as the kernel resolves it: the deepest point, of equal ones the last. */
export function mountOf(facts: NodeFacts, path: string): MountFacts | undefined {
    let best: MountFacts | undefined;
    for (const mount of facts.mounts) {
        if (!isWithin(path, mount.point)) continue;
        if (best === undefined || mount.point.length >= best.point.length) best = mount;
    }
    return best;
}

export function pathFacts(facts: NodeFacts, path: string): PathFacts | undefined {
    return facts.paths.find((entry) => entry.path === path);
}

/** Whether a path is a folder or lies below it; both absolute. */
export function isWithin(path: string, folder: string): boolean {
    return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}
