import type { InterfaceFacts } from "./facts";
import { discover, fabricRule } from "./fabricRule";
import { gidOf, hasRoceV2 } from "./gid";
import { type Context, finding, nothing, type Rule } from "./rulesContext";
import { networkRules } from "./rulesNetwork";

function shown(interfaces: readonly InterfaceFacts[]): string {
    return interfaces
        .filter(({ name }) => name !== "lo")
        .map(({ name, addresses }) => [name, ...addresses.map(({ address }) => address)].join(" "))
        .join(", ");
}

const interfaceExists = fabricRule("fabric-interface", [], ({ facts }, fabric) => {
    const { interfaces } = facts;
    if (interfaces === undefined) {
        return finding("fabric", "there is no `ip` command", "iproute2", "install iproute2");
    }
    const found = interfaces.find(({ name }) => name === fabric.interface);
    // Only interfaces with an IPv4 address are listed.
    if (found === undefined) {
        return finding(
            "fabric",
            `no interface ${fabric.interface} with an IPv4 address`,
            `the fabric's interface; there are ${shown(interfaces)}`,
            discover,
        );
    }
    if (!found.up) {
        return finding(
            "fabric",
            `${fabric.interface} is down`,
            "a link to the other nodes",
            "check the cable and the other end, or run discover anew",
        );
    }
    return nothing;
});

function configured(context: Context): InterfaceFacts | undefined {
    const name = context.node.fabric?.interface;
    return context.facts.interfaces?.find((each) => each.name === name);
}

const address = fabricRule("fabric-address", ["fabric-interface"], (context, fabric) => {
    const has = configured(context)?.addresses.map((each) => each.address) ?? [];
    if (has.includes(fabric.address)) return nothing;
    return finding(
        "fabric",
        `${fabric.interface} has ${has.join(", ")}, not ${fabric.address}`,
        "the address of the node's configuration; ranks would bind to it and fail",
        discover,
    );
});

const mtu = fabricRule("fabric-mtu", ["fabric-interface"], (context, fabric) => {
    const has = configured(context)?.mtu;
    if (has === undefined || has === fabric.mtu) return nothing;
    return finding(
        "fabric",
        `${fabric.interface} has MTU ${String(has)}, the configuration says ${String(fabric.mtu)}`,
        "one MTU at both ends",
        `\`sudo ip link set ${fabric.interface} mtu ${String(fabric.mtu)}\` and in netplan, or run discover anew`,
    );
});

const peers = fabricRule("fabric-peers", ["fabric-interface", "fabric-address"], (context) => {
    const { plan, facts, node, all } = context;
    // A node that is down is told of once, as unreachable.
    const answered = plan.nodes.filter(({ name }) => all.some((each) => each.node === name));
    const silent = answered.filter(
        (other) => other !== node && facts.peers?.[other.fabric?.address ?? ""] === false,
    );
    if (silent.length === 0) return nothing;
    const names = silent.map(({ name, fabric }) => `${name} (${fabric?.address ?? ""})`);
    return finding(
        "fabric",
        `${names.join(", ")} does not answer over ${node.fabric?.interface ?? ""}`,
        "every node to reach every other one over the fabric",
        "check cables, addresses and firewall of both nodes",
    );
});

const port = fabricRule("rdma-port", [], ({ facts }, fabric) =>
    fabric.hcas.flatMap((name) => {
        const device = facts.rdma.find((each) => each.name === name);
        if (device === undefined) {
            const there = facts.rdma.map((each) => each.name).join(", ") || "none";
            return finding(
                "rdma",
                `no RDMA device ${name}`,
                `a device of this node; there are ${there}`,
                discover,
            );
        }
        if (device.state.includes("ACTIVE")) return nothing;
        return finding(
            "rdma",
            `port 1 of ${name} is ${device.state.replace(/^\d+: /, "") || "unknown"}`,
            "an ACTIVE port",
            "check the cable and the other end, or run discover anew",
        );
    }),
);

const gids = fabricRule(
    "rdma-gid",
    ["rdma-port", "fabric-address", "fabric-interface"],
    ({ facts }, fabric) =>
        fabric.hcas.flatMap((name) => {
            const device = facts.rdma.find((each) => each.name === name);
            // Only sysfs tells GIDs.
            if (device === undefined || device.tool !== undefined) return nothing;
            const carries = device.interfaces.includes(fabric.interface);
            const own = gidOf(fabric.address);
            const isWanted = (gid: string) =>
                carries ? gid === own : gid.startsWith("0000:0000:0000:0000:0000:ffff:");
            if (hasRoceV2(device, isWanted)) return nothing;
            const of = carries ? fabric.address : "an IPv4 address";
            return finding(
                "rdma",
                `${name} has no RoCE v2 GID for ${of}`,
                "NCCL to find one: without it the ranks fall back to TCP or hang",
                `give ${device.interfaces.join(", ") || name} its IPv4 address anew, or leave ${name} out of hcas`,
            );
        }),
);

const carrier = fabricRule("rdma-interface", ["rdma-port"], ({ facts }, fabric) => {
    const devices = facts.rdma.filter(({ name }) => fabric.hcas.includes(name));
    if (devices.some(({ interfaces }) => interfaces.includes(fabric.interface))) return nothing;
    const has = devices.map(({ name, interfaces }) => `${name} ${interfaces.join(", ")}`);
    return finding(
        "rdma",
        `none of the hcas belongs to ${fabric.interface} (${has.join("; ")})`,
        "the RDMA device of the fabric's interface",
        discover,
    );
});

const devices = fabricRule("rdma-devices", [], ({ facts }) => {
    const verbs = facts.devices.some((name) => name.startsWith("uverbs"));
    if (verbs && facts.devices.includes("rdma_cm")) return nothing;
    const there = facts.devices.join(", ") || "nothing";
    return finding(
        "rdma",
        `/dev/infiniband holds ${there}`,
        "uverbs devices and rdma_cm; without them the ranks fall back to TCP",
        "`sudo modprobe -a mlx5_ib ib_uverbs rdma_ucm`",
    );
});

export const fabricRules: readonly Rule[] = [
    interfaceExists,
    address,
    mtu,
    port,
    carrier,
    gids,
    devices,
    peers,
    ...networkRules,
];
