import type { NodeFacts } from "./facts";

/** The network of an IPv4 address, e.g. `192.168.100.0/24`. */
export function subnetOf(address: string, prefix: number): string {
    const bits = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
    const size = 2 ** (32 - prefix);
    const network = Math.floor(bits / size) * size;
    const parts = [2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(network / unit) % 256);
    return `${parts.join(".")}/${String(prefix)}`;
}

/** Addresses that a machine gives itself when nobody else does: others after each restart. */
export function isLinkLocal(address: string): boolean {
    return address.startsWith("169.254.");
}

/**
 * How to give an interface a fixed address of its own: a subnet that no interface of the node is in.
 *
 * @param host last part of the address: another one on each node.
 */
export function netplanFor(facts: NodeFacts, name: string, host: number): string {
    const used = (facts.interfaces ?? []).flatMap(({ addresses }) =>
        addresses.map(({ address }) => address.split(".").slice(0, 3).join(".")),
    );
    const free = Array.from({ length: 100 }, (_, i) => `192.168.${String(100 + i)}`).find(
        (net) => !used.includes(net),
    );
    const mtu = facts.interfaces?.find((each) => each.name === name)?.mtu ?? 9000;
    const settings = `{addresses: [${free ?? "10.99.0"}.${String(host)}/24], mtu: ${String(mtu)}}`;
    return (
        `write \`network: {version: 2, ethernets: {${name}: ${settings}}}\` to ` +
        `/etc/netplan/60-${name}.yaml, \`sudo netplan apply\`, then run discover`
    );
}
