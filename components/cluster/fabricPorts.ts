import type { NodeFacts, RdmaFacts } from "./facts";
import { gidOf, hasRoceV2 } from "./gid";
import { subnetOf } from "./subnet";

/** An address of an active RDMA port: it may lead to the other nodes. */
export interface FabricPort {
    readonly device: string;
    readonly interface: string;
    readonly address: string;
    /** e.g. `192.168.100.0/24`. */
    readonly subnet: string;
    readonly mtu: number;
}

/** A port that is no part of the fabric, and why. */
export interface LeftOut {
    readonly device: string;
    /** Empty when none belongs to the device. */
    readonly interface: string;
    readonly reason: string;
}

export interface NodePorts {
    readonly node: string;
    readonly ports: readonly FabricPort[];
    readonly leftOut: readonly LeftOut[];
}

type Found = FabricPort | LeftOut;

const isPort = (found: Found): found is FabricPort => "address" in found;
const isLeftOut = (found: Found): found is LeftOut => !isPort(found);

/** What a node's RDMA devices could carry, by its own facts alone. */
export function fabricPorts(facts: NodeFacts): NodePorts {
    const found = facts.rdma.flatMap((device) => portsOf(device, facts));
    return {
        node: facts.node,
        ports: found.filter(isPort),
        leftOut: found.filter(isLeftOut),
    };
}

function portsOf(device: RdmaFacts, facts: NodeFacts): readonly Found[] {
    const out = (name: string, reason: string): readonly Found[] => [
        { device: device.name, interface: name, reason },
    ];
    const [first = ""] = device.interfaces;
    if (!device.state.includes("ACTIVE")) {
        return out(
            first,
            `its port is ${device.state.replace(/^\d+: /, "") || "in no known state"}`,
        );
    }
    if (device.interfaces.length === 0) return out("", "no network interface belongs to it");
    return device.interfaces.flatMap((name) => {
        // Only interfaces with an IPv4 address are listed.
        const found = facts.interfaces?.find((each) => each.name === name);
        if (found === undefined) return out(name, `${name} has no IPv4 address`);
        if (!found.up) return out(name, `${name} is down`);
        return found.addresses.flatMap(({ address, prefix }): readonly Found[] => {
            // Only sysfs tells GIDs.
            if (device.tool === undefined && !hasRoceV2(device, (gid) => gid === gidOf(address))) {
                return out(name, `it has no RoCE v2 GID for ${address}`);
            }
            const subnet = subnetOf(address, prefix);
            return [{ device: device.name, interface: name, address, subnet, mtu: found.mtu }];
        });
    });
}
