import { type NodeFacts, parseFacts } from "../cluster";
import { type Issue, RecipeError } from "../issue";
import type { NodePlan, StackPlan } from "../plan";
import { factsScript } from "./facts";
import { connectError, NodeError } from "./sshFailure";
import { runScript } from "./ssh";
import type { SshNode } from "./sshArguments";
import { lastLine } from "./lastLine";

/** What came of looking at one node. */
export type NodeOutcome =
    | { readonly kind: "facts"; readonly node: string; readonly facts: NodeFacts }
    | { readonly kind: "failed"; readonly node: string; readonly issues: readonly Issue[] };

export interface CollectOptions {
    readonly signal?: AbortSignal;
    /** Called once for a node that does not answer at first. */
    readonly onRetry?: (node: string, why: string) => void;
    /** Called when a node is done, with the seconds it took. */
    readonly onDone?: (outcome: NodeOutcome, seconds: number) => void;
}

/** Two looks at a hung NAS, a slow dockerd and the shards of a large model fit in. */
const timeoutSeconds = 60;

/** Looks at every node of a plan at once, read-only. Never throws for a node's fault: it is in the outcome. */
export function collectFacts(
    plan: StackPlan,
    options: CollectOptions = {},
): Promise<readonly NodeOutcome[]> {
    return lookAtAll(plan.nodes, (node) => questions(node, plan), options);
}

/**
 * Looks at nodes, planned or not.
 *
 * @param wordsOf what the fact scripts are to look for on a node (facts/json.sh).
 */
export function lookAtAll<Node extends SshNode>(
    nodes: readonly Node[],
    wordsOf: (node: Node) => readonly string[],
    options: CollectOptions,
): Promise<readonly NodeOutcome[]> {
    const look = async (node: Node): Promise<NodeOutcome> => {
        const started = Date.now();
        const outcome = await lookAt(node, wordsOf(node), options);
        options.onDone?.(outcome, (Date.now() - started) / 1000);
        return outcome;
    };
    return Promise.all(nodes.map(look));
}

async function lookAt(
    node: SshNode,
    args: readonly string[],
    { signal, onRetry }: CollectOptions,
): Promise<NodeOutcome> {
    try {
        const { stdout, stderr } = await runScript(node, factsScript, {
            timeoutSeconds,
            args,
            ...(signal === undefined ? {} : { signal }),
            onRetry: (why) => onRetry?.(node.name, why),
        });
        return { kind: "facts", node: node.name, facts: read(node, stdout, stderr) };
    } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        return { kind: "failed", node: node.name, issues: error.issues };
    }
}

function read(node: SshNode, stdout: string, stderr: string): NodeFacts {
    try {
        return parseFacts(stdout, { node: node.name, clock: Date.now() / 1000 });
    } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        const said = lastLine(stderr);
        const { issues } = connectError(node, "other", "");
        throw new NodeError(
            "other",
            Object.assign({}, issues[0], {
                problem: `its facts cannot be read (${error.message}) ${said}`.trim(),
                expected: "a node with a POSIX shell, coreutils, awk and /proc",
                fix: `look what \`ssh ${node.ssh.destination} sh -c true\` prints`,
            }),
        );
    }
}

/** The words that tell the fact scripts where to look (facts/json.sh). */
function questions(node: NodePlan, plan: StackPlan): readonly string[] {
    const { model, image } = plan;
    const hub = node.rank.mounts.find(({ kind }) => kind === "weights")?.hostPath;
    const peers = plan.nodes.filter((other) => other !== node);
    const paths = new Set(node.rank.mounts.map(({ hostPath }) => hostPath));
    return [
        `model=${model.id}`,
        ...(model.revision === undefined ? [] : [`revision=${model.revision}`]),
        ...(hub === undefined ? [] : [`hub=${hub}`]),
        ...[...paths].map((path) => `mount=${path}`),
        `port=${String(plan.api.port)}`,
        `port=${String(plan.masterPort)}`,
        ...(node.fabric === undefined ? [] : [`via=${node.fabric.interface}`]),
        ...peers.flatMap(({ fabric }) => (fabric === undefined ? [] : [`peer=${fabric.address}`])),
        `image=${image.tag}`,
    ];
}
