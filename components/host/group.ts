import { randomBytes } from "node:crypto";

import { type Issue, RecipeError } from "../issue";
import type { NodePlan } from "../plan";
import groupScript from "./group.sh";
import { bootsOf } from "./launchResult";
import type { LaunchRecord, ObservedNode, ObservedRank } from "./launchState";
import { runScript } from "./ssh";

/** Seconds a rank gets to end by itself: a worker needs up to 13 (facts.md), Docker's default is 10. */
export const graceSeconds = 30;

/** What the group's steps need to know of a node. */
export type GroupNode = Pick<NodePlan, "name" | "ssh">;

type Verb = "observe" | "mark" | "stop" | "start" | "record" | "sweep" | "forget";

/** Runs one verb of group.sh on a node. Throws an issue when the node cannot be reached or refuses. */
async function run(node: GroupNode, verb: Verb, ...args: readonly string[]): Promise<string> {
    const result = await runScript(node, groupScript, {
        args: [verb, ...args],
        // Stopping takes its grace; the rest is a question of a second.
        timeoutSeconds: verb === "stop" || verb === "mark" ? graceSeconds + 30 : 30,
    }).catch((error: unknown) => {
        throw error instanceof RecipeError ? new RecipeError(error.issues, goesOn) : error;
    });
    if (result.code === 0) return result.stdout;
    throw new RecipeError([verbFailed(node, verb, result)], goesOn);
}

/** True at any point of a change: what was done stays done, and the next run starts from what it finds. */
const goesOn = "`pulumi up` goes on from here once this is mended.";

function verbFailed(
    node: GroupNode,
    verb: Verb,
    result: { readonly code: number; readonly stderr: string },
): Issue {
    const said = result.stderr.trim().split("\n").slice(-3).join(" / ");
    return {
        code: "docker",
        severity: "error",
        file: node.name,
        path: "",
        problem: `could not ${verb} the group's ranks (code ${String(result.code)}): ${said}`,
        expected: "Docker on the node to answer",
        fix: `try \`ssh ${node.ssh.destination} docker ps\``,
    };
}

/** Looks at the group's containers and launch record on one node. */
export async function observe(node: GroupNode, groupId: string): Promise<ObservedNode> {
    const seen = JSON.parse(await run(node, "observe", groupId)) as {
        now: string;
        record: LaunchRecord | null;
        jit: { readonly stamp: string; readonly cold: boolean } | null;
        containers: (Omit<ObservedRank, "rank"> & { rank: string })[];
    };
    const containers = seen.containers.map(({ name, rank, ...rest }) => ({
        ...rest,
        name: bare(name),
        rank: Number(rank),
    }));
    const { record, jit } = seen;
    return {
        node: node.name,
        now: seen.now,
        record: record === null || jit === null ? record : { ...record, cold: jit.cold },
        containers,
    };
}

/** Every node at once, in the order given. */
export function observeAll(nodes: readonly GroupNode[], groupId: string): Promise<ObservedNode[]> {
    return Promise.all(nodes.map((node) => observe(node, groupId)));
}

/**
 * Stops the group on all nodes, head first, and writes the mark of a new launch.
 * Returns the names of the ranks that ran.
 */
export async function stopGroup(
    nodes: readonly GroupNode[],
    groupId: string,
): Promise<readonly string[]> {
    const observed = await observeAll(nodes, groupId);
    const boots = bootsOf(observed);
    const record = {
        launch: randomBytes(8).toString("hex"),
        stoppedAt: "@now@",
        ranks: null,
        ...(boots.length === 0 ? {} : { boots }),
    };
    const mark = (node: GroupNode) =>
        run(node, "mark", groupId, JSON.stringify(record), String(graceSeconds));
    const isHead = (index: number) =>
        observed[index]?.containers.some((rank) => rank.rank === 0 && rank.running) === true;
    // A worker whose head is gone has nothing left to finish and is killed, which saves its 13 s.
    await Promise.all(nodes.filter((_, index) => isHead(index)).map(mark));
    await Promise.all(nodes.filter((_, index) => !isHead(index)).map(mark));
    return observed.flatMap((node) =>
        node.containers
            .filter((rank) => rank.running)
            .map((rank) => `${rank.name} on ${node.node}`),
    );
}

/** Stops what still runs within `grace` seconds, so that no half group holds memory. Nodes that do not answer are returned. */
export async function stopRest(
    nodes: readonly GroupNode[],
    groupId: string,
    grace: number,
): Promise<readonly string[]> {
    const results = await Promise.allSettled(
        nodes.map((node) => run(node, "stop", groupId, String(grace))),
    );
    return nodes
        .filter((_, index) => results[index]?.status === "rejected")
        .map(({ name }) => name);
}

/** Starts the group's ranks that do not run on these nodes, all at once. */
export async function startRanks(nodes: readonly GroupNode[], groupId: string): Promise<void> {
    await Promise.all(nodes.map((node) => run(node, "start", groupId)));
}

/** Writes the same record on every node, each with its own time of the stop. */
export async function writeRecords(
    nodes: readonly GroupNode[],
    groupId: string,
    recordOf: (node: GroupNode) => LaunchRecord,
): Promise<void> {
    await Promise.all(
        nodes.map((node) => run(node, "record", groupId, JSON.stringify(recordOf(node)))),
    );
}

/** Removes what an interrupted run left of this group on the node; returns the containers' names. */
export async function sweep(node: GroupNode, groupId: string): Promise<readonly string[]> {
    const names = await run(node, "sweep", groupId);
    return names
        .split("\n")
        .filter((name) => name !== "")
        .map(bare);
}

/** Docker puts a slash before a container's name. */
function bare(name: string): string {
    return name.replace(/^\//, "");
}

/** Removes the launch record from the node. */
export async function forget(node: GroupNode, groupId: string): Promise<void> {
    await run(node, "forget", groupId);
}
