import type { FabricPort, LeftOut, NodePorts } from "./fabricPorts";
import { isLinkLocal } from "./subnet";
import type { Fabric } from "./types";

/** A question for a node: does `address` of another one answer on `interface`? */
export interface FabricProbe {
    readonly node: string;
    readonly interface: string;
    readonly address: string;
}

/** What leads to all other nodes. */
export interface FabricChoice {
    readonly node: string;
    /** undefined: nothing does. */
    readonly fabric?: Fabric;
    readonly leftOut: readonly LeftOut[];
}

const subnetsOf = ({ ports }: NodePorts) => ports.map(({ subnet }) => subnet);

/** Subnets in which every node has a port. */
function commonSubnets(all: readonly NodePorts[]): readonly string[] {
    const [first, ...others] = all;
    const subnets = [...new Set(first === undefined ? [] : subnetsOf(first))];
    return subnets.filter((subnet) => others.every((node) => subnetsOf(node).includes(subnet)));
}

/** What has to be pinged before a choice: each port in a common subnet, to each other node's addresses there. */
export function fabricProbes(all: readonly NodePorts[]): readonly FabricProbe[] {
    const common = commonSubnets(all);
    return all.flatMap(({ node, ports }) =>
        ports
            .filter(({ subnet }) => common.includes(subnet))
            .flatMap((port) =>
                addressesOf(all, node, port.subnet).map(({ address }) => ({
                    node,
                    interface: port.interface,
                    address,
                })),
            ),
    );
}

/** Other nodes' addresses in a subnet. */
function addressesOf(all: readonly NodePorts[], node: string, subnet: string) {
    return all
        .filter((other) => other.node !== node)
        .flatMap((other) =>
            other.ports
                .filter((port) => port.subnet === subnet)
                .map(({ address }) => ({ node: other.node, address })),
        );
}

/** Names as a person orders them: enp1s0f1np1 before enP2p1s0f1np1, which is its twin on another bus. */
const byInterface = (a: FabricPort, b: FabricPort) =>
    a.interface.toLowerCase() < b.interface.toLowerCase() ? -1 : 1;

/**
 * Chooses each node's part of the fabric.
 *
 * A subnet counts when every node has an active port in it on which every other node answers. The first one, by the
 * head's interface names, link-local ones last, gives address and interface. The RDMA devices are those of all such
 * subnets, in one order on all nodes, because NCCL pairs the first with the first: a port of a Spark shows as two
 * devices, and only both together carry its whole speed.
 *
 * @param answered whether a probe of `fabricProbes` was answered.
 */
export function chooseFabric(
    all: readonly NodePorts[],
    answered: (probe: FabricProbe) => boolean,
): readonly FabricChoice[] {
    const reaching = new Map(
        all.map((each) => [each.node, reachingPorts(each, all, answered)] as const),
    );
    const of = (node: string, subnet: string) =>
        (reaching.get(node) ?? []).filter((port) => port.subnet === subnet).toSorted(byInterface);
    const good = commonSubnets(all).filter((subnet) =>
        all.every(({ node }) => of(node, subnet).length > 0),
    );
    const head = all[0]?.node ?? "";
    const ordered = [false, true].flatMap((linkLocal) =>
        good
            .filter((subnet) => isLinkLocal(subnet) === linkLocal)
            .flatMap((subnet) => of(head, subnet).slice(0, 1))
            .toSorted(byInterface),
    );
    const [main] = ordered;
    const rails = ordered.filter(({ subnet }) => main?.subnet === subnet || !isLinkLocal(subnet));
    return all.map((each) => {
        const chosen = rails.flatMap(({ subnet }) => {
            const ports = of(each.node, subnet);
            return ports.filter((port) => port.interface === ports[0]?.interface);
        });
        const left = each.ports.filter((port) => !chosen.includes(port));
        return {
            node: each.node,
            ...fabricOf(chosen),
            leftOut: [
                ...each.leftOut,
                ...left.map((port) => leave(port, { each, all, chosen, answered })),
            ],
        };
    });
}

function fabricOf(chosen: readonly FabricPort[]): { readonly fabric?: Fabric } {
    const [main] = chosen;
    if (main === undefined) return {};
    const { address, interface: name, mtu } = main;
    const hcas = [...new Set(chosen.map(({ device }) => device))];
    return { fabric: { address, interface: name, hcas, mtu } };
}

type Answered = (probe: FabricProbe) => boolean;

/** Nodes that do not answer on a port, of those that have an address in its subnet. */
function silentOn(
    port: FabricPort,
    node: string,
    all: readonly NodePorts[],
    answered: Answered,
): readonly string[] {
    const others = addressesOf(all, node, port.subnet);
    const answers = others.filter(({ address }) =>
        answered({ node, interface: port.interface, address }),
    );
    const names = new Set(others.map((other) => other.node));
    for (const { node: name } of answers) names.delete(name);
    return [...names];
}

function reachingPorts(
    { node, ports }: NodePorts,
    all: readonly NodePorts[],
    answered: Answered,
): readonly FabricPort[] {
    const common = commonSubnets(all);
    return ports.filter(
        (port) => common.includes(port.subnet) && silentOn(port, node, all, answered).length === 0,
    );
}

/** Why a port is no part of the fabric. */
function leave(
    port: FabricPort,
    found: {
        readonly each: NodePorts;
        readonly all: readonly NodePorts[];
        readonly chosen: readonly FabricPort[];
        readonly answered: Answered;
    },
): LeftOut {
    const { each, all, chosen, answered } = found;
    const lacking = all.filter((other) => !subnetsOf(other).includes(port.subnet));
    const silent = silentOn(port, each.node, all, answered);
    const twin = chosen.find(({ subnet }) => subnet === port.subnet);
    const names = (nodes: readonly string[]) => nodes.join(", ");
    const reason =
        lacking.length > 0
            ? `${names(lacking.map(({ node }) => node))} has no active port in ${port.subnet}`
            : silent.length > 0
              ? `${names(silent)} does not answer on it`
              : twin !== undefined
                ? `${twin.interface} is in ${port.subnet} too: give each port a subnet of its own`
                : isLinkLocal(port.subnet)
                  ? `${port.address} is link-local`
                  : `another node does not reach all nodes in ${port.subnet}`;
    return { device: port.device, interface: port.interface, reason };
}
