import { type GroupNode, observe, stopGroup, sweep } from "./group";
import { withMessage } from "./hookError";

export interface ClearOptions {
    /** Nodes of this run: each must answer. */
    readonly nodes: readonly GroupNode[];
    /** Nodes of earlier runs, some of them the same; one that is gone for good must not block a change. */
    readonly formerNodes: () => Promise<readonly GroupNode[]>;
    /** Looks at all nodes before a group is stopped only to be revived; throws when it could not start again. */
    readonly check: (groupId: string) => Promise<void>;
    /** Refuses, while the old ranks still run, what no new one could start from. */
    readonly beforeStop: () => Promise<void>;
    /** Runs once the old ranks are gone, before any new one starts. */
    readonly afterStop: (groupId: string) => Promise<void>;
    /** Says what happens, e.g. into Pulumi's log. */
    readonly say: (text: string) => void;
}

/** What runs before a rank may be created; safe to call as often as there are ranks. */
export interface Clearing {
    /** Stops all ranks of the group, on all nodes at once; once a run, all callers await the same stop. */
    readonly stopAll: (groupId: string) => Promise<void>;
    /**
     * The same before a rank is created. In a change all was checked and stopped by then; in a revival this comes
     * first, so the nodes are checked here.
     */
    readonly reviveAll: (groupId: string) => Promise<void>;
    /**
     * Removes the group's leftovers on one node. A container whose start failed, or whose creation was
     * interrupted, is not in the state and would collide by its name (facts.md). By the time this runs, the
     * engine has removed the one it knows.
     */
    readonly sweep: (node: GroupNode, groupId: string) => Promise<void>;
}

export function clearTheWay(options: ClearOptions): Clearing {
    let stopped: Promise<void> | undefined;
    return {
        stopAll: (groupId) => (stopped ??= withMessage(stopAll(options, groupId))),
        reviveAll: (groupId) =>
            (stopped ??= withMessage(options.check(groupId).then(() => stopAll(options, groupId)))),
        sweep: async (node, groupId) => {
            for (const name of await withMessage(sweep(node, groupId))) {
                options.say(`${node.name}: removed ${name}, left by an interrupted run`);
            }
        },
    };
}

async function stopAll(options: ClearOptions, groupId: string): Promise<void> {
    await options.beforeStop();
    const started = Date.now();
    const own = new Set(options.nodes.map(machine));
    const former = (await options.formerNodes()).filter((node) => !own.has(machine(node)));
    const reachable = await reach(former, groupId, options.say);
    const names = await stopGroup([...options.nodes, ...reachable], groupId);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    if (names.length > 0) options.say(`stopped ${names.join(", ")} in ${seconds} s`);
    // The engine removes those it knows from former nodes last, after the new ranks were made, and others never.
    await Promise.all(reachable.map((node) => sweep(node, groupId)));
    await options.afterStop(groupId);
}

/** The former nodes that still answer, one entry a machine. */
async function reach(
    former: readonly GroupNode[],
    groupId: string,
    say: ClearOptions["say"],
): Promise<readonly GroupNode[]> {
    const machines = [...new Map(former.map((node) => [machine(node), node])).values()];
    const answers = await Promise.allSettled(machines.map((node) => observe(node, groupId)));
    return machines.filter((node, index) => {
        const gone = answers[index]?.status === "rejected";
        if (gone) {
            say(`${node.name}, a node of an earlier run, does not answer: its rank, if any, stays`);
        }
        return !gone;
    });
}

function machine({ ssh }: GroupNode): string {
    return `${ssh.destination}:${String(ssh.port ?? "")}`;
}
