import { RecipeError } from "../issue";
import type { NodePlan, StackPlan } from "../plan";
import asRootScript from "./asRoot.sh";
import placeScript from "./cachesPlace.sh";
import type { GroupNode } from "./group";
import { runScript } from "./ssh";

/** A node with its JIT caches. */
export type CachesNode = GroupNode & Pick<NodePlan, "jitCaches">;

/** What became of one cache. `about`: a stamp, or the name it was set aside under. */
export interface PlacedCache {
    readonly what: "obstacle" | "cold" | "warm" | "back" | "kept" | "aside" | "locks";
    readonly directory: string;
    readonly about: string;
}

async function run(node: GroupNode, args: readonly string[]): Promise<string> {
    const result = await runScript(node, placeScript, { args, timeoutSeconds: 60 });
    if (result.code === 0) return result.stdout;
    throw new RecipeError([
        {
            code: "bad-mount",
            severity: "error",
            file: node.name,
            path: "extra_mounts",
            problem: `the JIT caches cannot be put in place: ${result.stderr.trim()}`,
            expected: "directories that the login user may rename",
            fix: "mend it there; `pulumi up` goes on from here",
        },
    ]);
}

/** The lines that cachesPlace.sh prints. */
export function parsePlaced(text: string): readonly PlacedCache[] {
    return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
            const [what = "", directory = "", about = ""] = line.split("\t");
            return { what: what as PlacedCache["what"], directory, about };
        });
}

/** What `up` does with JIT caches right before ranks start; each part once a run, however many ranks ask. */
export interface CachePlacing {
    /** Refuses what could not be set aside; changes nothing. */
    readonly check: (stamp: string) => Promise<void>;
    /** Puts the caches of a stamp in place; nothing of the group runs. */
    readonly place: (groupId: string, stamp: string) => Promise<void>;
}

export function placeCaches(
    plan: Pick<StackPlan, "nodes" | "image" | "jit">,
    say: (text: string) => void,
): CachePlacing {
    let checked: Promise<void> | undefined;
    let placed: Promise<void> | undefined;
    const nodes = plan.nodes.filter(({ jitCaches }) => jitCaches.length > 0);
    return {
        check: (stamp) => (checked ??= checkAll(nodes, plan.jit.onChange, stamp)),
        place: (groupId, stamp) =>
            (placed ??= Promise.all(
                nodes.map(async (node) => {
                    for (const line of await placeOn(node, plan, groupId, stamp)) {
                        say(`${node.name}: ${line}`);
                    }
                }),
            ).then(() => undefined)),
    };
}

async function checkAll(
    nodes: readonly CachesNode[],
    policy: string,
    stamp: string,
): Promise<void> {
    const found = await Promise.all(
        nodes.map(async (node) => {
            const text = await run(node, ["check", policy, stamp, ...node.jitCaches]);
            return parsePlaced(text).map((obstacle) => ({ node, obstacle }));
        }),
    );
    const issues = found.flat().map(({ node, obstacle }) => ({
        code: "bad-mount" as const,
        severity: "error" as const,
        file: node.name,
        path: "extra_mounts",
        problem: `the JIT cache ${obstacle.directory} is not of these libraries and cannot be set aside: ${obstacle.about}`,
        expected: `a directory that ${node.ssh.destination} may rename`,
        fix: "give it and the directory above it to the login user, or move it away as its owner; caches.onImageChange: keep leaves a filled one in place",
    }));
    if (issues.length > 0) throw new RecipeError(issues, "Nothing that serves was stopped.");
}

async function placeOn(
    node: CachesNode,
    { image, jit }: Pick<StackPlan, "image" | "jit">,
    groupId: string,
    stamp: string,
): Promise<readonly string[]> {
    const args = ["place", jit.onChange, stamp, groupId, ...node.jitCaches];
    const placed = parsePlaced(await run(node, args));
    const locked = placed.filter(({ what }) => what === "locks").map((cache) => cache.directory);
    return [
        ...describePlaced(placed),
        ...(locked.length === 0 ? [] : await removeLocks(node, image.tag, locked)),
    ];
}

/** Ranks write as root, so their lock files can only be removed as root; what stays is named. */
async function removeLocks(
    node: GroupNode,
    image: string,
    directories: readonly string[],
): Promise<readonly string[]> {
    const result = await runScript(node, asRootScript, {
        args: ["locks", image, ...directories],
        timeoutSeconds: 60,
    });
    if (result.code === 0) return [];
    return [
        `lock files of an earlier process stay in ${directories.join(", ")}, and a rank may wait for them: ${result.stderr.trim()}`,
    ];
}

/** What a user should read of it: nothing while all fits. */
export function describePlaced(placed: readonly PlacedCache[]): readonly string[] {
    const of = (what: PlacedCache["what"]) => placed.filter((cache) => cache.what === what);
    const cold = of("cold").length > 0 && of("warm").length === 0;
    return [
        ...of("aside").map(
            ({ directory, about }) => `JIT cache ${directory} set aside as ${about}`,
        ),
        ...of("back").map(({ directory, about }) => `JIT cache ${directory} of ${about} put back`),
        ...of("kept").map(({ directory, about }) => `JIT cache ${directory} kept (was ${about})`),
        ...(cold ? ["cold JIT: kernels are compiled at this start"] : []),
    ];
}
