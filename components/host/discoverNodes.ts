import {
    chooseFabric,
    discoverIssues,
    fabricPorts,
    fabricProbes,
    type FabricChoice,
    type FabricProbe,
    type FoundNode,
    type NodeFacts,
} from "../cluster";
import { type Issue, RecipeError } from "../issue";
import { type CollectOptions, lookAtAll } from "./collectFacts";
import probeScript from "./probe.sh";
import { runScript } from "./ssh";
import type { SshNode } from "./sshArguments";
import { trustedHostKey } from "./trustedHostKey";

/** What was found of a stack's machines. */
export interface Discovery {
    /** In the order asked; only nodes that answered. */
    readonly nodes: readonly FoundNode[];
    /** One a node that answered, when there is more than one. */
    readonly choices: readonly FabricChoice[];
    /** Warnings included. */
    readonly issues: readonly Issue[];
}

/** Looks at all nodes at once and finds what leads from each to all others; changes nothing anywhere. */
export async function discoverNodes(
    nodes: readonly SshNode[],
    options: CollectOptions = {},
): Promise<Discovery> {
    const outcomes = await lookAtAll(nodes, () => [], options);
    const failed = outcomes.flatMap((each) => (each.kind === "failed" ? each.issues : []));
    const facts = outcomes.flatMap((each) => (each.kind === "facts" ? [each.facts] : []));
    // With a node missing nobody knows what leads to it.
    if (failed.length > 0) return { nodes: [], choices: [], issues: failed };
    const [choices, keys] = await Promise.all([
        nodes.length > 1 ? choose(nodes, facts, options.signal) : [],
        Promise.all(nodes.map(trustedHostKey)),
    ]);
    return {
        nodes: facts.map(({ node, home }, index) => found(node, home, choices[index], keys[index])),
        choices,
        issues: discoverIssues(choices, facts),
    };
}

function found(
    node: string,
    home: string,
    choice: FabricChoice | undefined,
    hostKey: string | undefined,
): FoundNode {
    return {
        node,
        home,
        ...(choice?.fabric === undefined ? {} : { fabric: choice.fabric }),
        ...(hostKey === undefined ? {} : { hostKey }),
    };
}

async function choose(
    nodes: readonly SshNode[],
    facts: readonly NodeFacts[],
    signal?: AbortSignal,
): Promise<readonly FabricChoice[]> {
    const ports = facts.map(fabricPorts);
    const probes = fabricProbes(ports);
    const answers = await Promise.all(
        nodes.map((node) =>
            ask(
                node,
                probes.filter((probe) => probe.node === node.name),
                signal,
            ),
        ),
    );
    const answered = new Set(answers.flat());
    return chooseFabric(ports, (probe) => answered.has(key(probe)));
}

const key = ({ node, interface: name, address }: FabricProbe) => `${node} ${name} ${address}`;

/** The keys of the probes that were answered. */
async function ask(
    node: SshNode,
    probes: readonly FabricProbe[],
    signal?: AbortSignal,
): Promise<readonly string[]> {
    if (probes.length === 0) return [];
    const { code, stdout } = await runScript(node, probeScript, {
        timeoutSeconds: 15,
        args: probes.flatMap(({ interface: name, address }) => [name, address]),
        ...(signal === undefined ? {} : { signal }),
    });
    if (code === 69) throw new RecipeError([withoutPing(node)]);
    return [...stdout.matchAll(/^yes (\S+) (\S+)$/gm)].map(([, name = "", address = ""]) =>
        key({ node: node.name, interface: name, address }),
    );
}

function withoutPing(node: SshNode): Issue {
    return {
        code: "fabric",
        severity: "error",
        file: node.name,
        path: "",
        problem: "there is no `ping` command",
        expected: "a way to see which ports lead to the other nodes",
        fix: "`sudo apt-get install iputils-ping`",
    };
}
