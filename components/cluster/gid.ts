import type { RdmaFacts } from "./facts";

/** The GID of an IPv4 address: `::ffff:a.b.c.d`, as sysfs writes it. */
export function gidOf(ipv4: string): string {
    const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
    const word = (high: number, low: number) => (high * 256 + low).toString(16).padStart(4, "0");
    return `0000:0000:0000:0000:0000:ffff:${word(a, b)}:${word(c, d)}`;
}

/** Whether a device has a RoCE v2 GID, the kind that NCCL wants, among those that match. */
export function hasRoceV2(device: RdmaFacts, match: (gid: string) => boolean): boolean {
    return device.gids.some(({ gid, type }) => type === "RoCE v2" && match(gid.toLowerCase()));
}
