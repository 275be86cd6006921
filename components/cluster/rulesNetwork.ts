import type { TcpFacts } from "./facts";
import { discover, fabricRule } from "./fabricRule";
import { type Context, finding, nothing, type Rule, warning } from "./rulesContext";
import { isLinkLocal, netplanFor, subnetOf } from "./subnet";

const standing = ["fabric-interface", "fabric-address"];

/** The node's fabric address with the prefix that its interface has. */
function networkOf({ plan, all }: Context, name: string): string | undefined {
    const fabric = plan.nodes.find((node) => node.name === name)?.fabric;
    const found = all
        .find(({ node }) => node === name)
        ?.interfaces?.find((each) => each.name === fabric?.interface)
        ?.addresses.find(({ address }) => address === fabric?.address);
    return found === undefined ? undefined : subnetOf(found.address, found.prefix);
}

const subnet = fabricRule("fabric-subnet", standing, (context, fabric) => {
    const [head, own] = [context.plan.nodes[0], networkOf(context, context.node.name)];
    const wanted = head === undefined ? undefined : networkOf(context, head.name);
    if (wanted === undefined || own === undefined || wanted === own) return nothing;
    return finding(
        "fabric",
        `${fabric.interface} is in ${own}, the fabric of ${head?.name ?? ""} is ${wanted}`,
        "one subnet for all nodes: nothing routes between two",
        discover,
    );
});

const linkLocal = fabricRule("fabric-link-local", standing, ({ facts, plan, node }, fabric) =>
    isLinkLocal(fabric.address)
        ? warning(
              finding(
                  "fabric",
                  `${fabric.address} is link-local: it may be another one after a restart`,
                  "a fixed address",
                  netplanFor(facts, fabric.interface, plan.nodes.indexOf(node) + 1),
              ),
          )
        : nothing,
);

/** Two interfaces in one subnet: the kernel answers and sends on either, NCCL waits on the other. */
const oneInterface = fabricRule("fabric-one-interface", standing, (context, fabric) => {
    const { facts, plan, node } = context;
    const own = networkOf(context, node.name);
    const twins = (facts.interfaces ?? []).filter(
        ({ name, addresses }) =>
            name !== fabric.interface &&
            addresses.some(({ address, prefix }) => subnetOf(address, prefix) === own),
    );
    return twins.flatMap(({ name }) =>
        warning(
            finding(
                "fabric",
                `${name} is in the subnet of ${fabric.interface} (${own ?? ""}): traffic takes either`,
                "a subnet of its own for each port",
                netplanFor(facts, name, plan.nodes.indexOf(node) + 1),
            ),
        ),
    );
});

const speed = fabricRule("fabric-speed", ["fabric-interface"], ({ facts, plan, all }, fabric) => {
    const now = facts.speeds[fabric.interface];
    const able = plan.nodes.map(
        ({ name, fabric: at }) =>
            all.find(({ node }) => node === name)?.capable[at?.interface ?? ""],
    );
    const known = able.filter((each) => each !== undefined);
    const most = Math.min(...known);
    if (now === undefined || known.length < plan.nodes.length || now >= most) return nothing;
    return warning(
        finding(
            "fabric",
            `${fabric.interface} runs at ${gbits(now)}, all nodes could do ${gbits(most)}`,
            "the speed of the slowest port",
            "look at the cable (it must be rated for that), at the switch's port and at autonegotiation",
        ),
    );
});

const gbits = (mbits: number) => `${String(mbits / 1000)} Gbit/s`;

const ways: Readonly<Record<TcpFacts["state"], string>> = {
    open: "",
    refused: "refused",
    silent: "no answer",
};

/** A firewall that passes a ping lets the ranks wait 1800 s in silence (facts.md). */
const tcp = fabricRule("fabric-tcp", [...standing, "fabric-peers"], (context, fabric) => {
    const { all, node, facts } = context;
    const shut = all
        .filter((other) => other.node !== node.name)
        .flatMap((other) => {
            const tried = other.tcp === undefined || other.tcp === "unable" ? [] : other.tcp;
            const failed = tried.filter(
                ({ address, state }) => address === fabric.address && state !== "open",
            );
            const ports = failed.map(({ port, state }) => `${String(port)} (${ways[state]})`);
            return ports.length === 0 ? [] : [`${other.node} to port ${ports.join(", ")}`];
        });
    if (shut.length > 0) {
        return finding(
            "fabric",
            `TCP to ${fabric.address} does not open, though a ping passes: ${shut.join("; ")}`,
            "every port open between the nodes: the ranks choose theirs freely",
            `allow it, e.g. \`sudo ufw allow in on ${fabric.interface}\`; else see \`sudo nft list ruleset\``,
        );
    }
    if (facts.tcp !== "unable") return nothing;
    return warning(
        finding(
            "fabric",
            "TCP over the fabric was not tried: the node has no Perl",
            "a firewall to be noticed before the ranks wait for each other",
            "`sudo apt-get install perl-base`",
        ),
    );
});

export const networkRules: readonly Rule[] = [subnet, linkLocal, oneInterface, speed, tcp];
