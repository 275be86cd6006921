import type { NodeFacts, TcpFacts } from "./facts";
import type { NodeToCheck, PlanToCheck } from "./rulesContext";

/** What one node does while all nodes try each other's ports: addresses and ports on the fabric. */
export interface TcpQuestions {
    readonly node: string;
    readonly from: string;
    readonly listen: readonly Endpoint[];
    readonly connect: readonly Endpoint[];
    /** How many other nodes connect to each port. */
    readonly guests: number;
}

export interface Endpoint {
    readonly address: string;
    readonly port: number;
}

/** A node that answered, with its address on the fabric. */
interface Member {
    readonly facts: NodeFacts;
    readonly address: string;
    readonly isHead: boolean;
}

/**
 * Which ports to try: the head's rendezvous port, and one more of every node, because NCCL and the engine choose
 * theirs freely. A firewall passes a ping and then lets the ranks wait for half an hour.
 *
 * Only addresses that are there and answer a ping are tried; for the others a rule has the better words. Nobody
 * listens on the rendezvous port while a rank runs on any node: the head may be about to bind it, and a worker that
 * waits for its head would take us for it.
 *
 * @param port the other port, free on all nodes as far as anyone knows.
 */
export function tcpQuestions(
    plan: PlanToCheck,
    all: readonly NodeFacts[],
    port: number,
): readonly TcpQuestions[] {
    const members = plan.nodes.flatMap((node) => memberOf(node, all));
    const { masterPort } = plan;
    const quiet = members.every(({ facts }) => noRank(facts));
    return members.map(({ facts, address, isHead }) => {
        const others = members.filter((other) => other.facts !== facts);
        const reached = others.filter((other) => facts.peers?.[other.address] !== false);
        const guests = others.filter((other) => other.facts.peers?.[address] !== false);
        const ports = isHead && quiet ? [port, masterPort] : [port];
        return {
            node: facts.node,
            from: address,
            listen: ports.map((each) => ({ address, port: each })),
            connect: reached.flatMap((other) => [
                { address: other.address, port },
                ...(other.isHead && (quiet || hasListener(other.facts, masterPort))
                    ? [{ address: other.address, port: masterPort }]
                    : []),
            ]),
            guests: guests.length,
        };
    });
}

function memberOf(node: NodeToCheck, all: readonly NodeFacts[]): readonly Member[] {
    const facts = all.find((each) => each.node === node.name);
    const address = node.fabric?.address;
    const there = facts?.interfaces?.some(({ addresses }) =>
        addresses.some((each) => each.address === address),
    );
    if (facts === undefined || address === undefined || there !== true) return [];
    return [{ facts, address, isHead: node.rank.role === "head" }];
}

/** Whether no rank, of whatever group, runs on the node, as far as Docker tells. */
function noRank({ docker }: NodeFacts): boolean {
    if (docker.error !== undefined) return false;
    return !docker.containers.some(({ running, groupId }) => running && groupId !== undefined);
}

function hasListener({ listeners }: NodeFacts, port: number): boolean {
    return listeners?.some((each) => each.port === port) === true;
}

/**
 * What of a node's tries tells something: not those of an endpoint that nobody could listen on, and no refusal where a
 * running rank was to answer instead of us. That rank has ended meanwhile; while it ran, its group passed.
 */
export function conclusive(
    tried: readonly TcpFacts[],
    questions: readonly TcpQuestions[],
    busy: readonly Endpoint[],
): readonly TcpFacts[] {
    const listened = questions.flatMap(({ listen }) => listen);
    return tried.filter(({ address, port, state }) => {
        const same = (at: Endpoint) => at.address === address && at.port === port;
        return !busy.some(same) && (state !== "refused" || listened.some(same));
    });
}

/** What a node printed: `open ADDRESS PORT` a line. `busy`: endpoints that could not be listened on. */
export function parseTcp(text: string): {
    readonly tried: readonly TcpFacts[];
    readonly busy: readonly Endpoint[];
} {
    const lines = [...text.matchAll(/^(open|refused|silent|busy) (\S+) (\d+)$/gm)].map(
        ([, state, address = "", port]) => ({ state, address, port: Number(port) }),
    );
    return {
        tried: lines.flatMap(({ state, ...to }) =>
            state === "open" || state === "refused" || state === "silent" ? [{ ...to, state }] : [],
        ),
        busy: lines.flatMap(({ state, address, port }) =>
            state === "busy" ? [{ address, port }] : [],
        ),
    };
}
