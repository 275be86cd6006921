import type { DockerFacts, HubFacts, InterfaceFacts, NodeFacts, Space } from "./facts";
import type { RawDocker, RawFacts, RawHub, RawInterface, RawSpace } from "./factsRaw";

/** Where and when the facts were asked for. */
export interface Asked {
    /** The node's name in the stack's configuration. */
    readonly node: string;
    /** This machine's clock while the node answered, in seconds. */
    readonly clock: number;
}

/** Reads what the fact scripts printed. Throws SyntaxError when it is not that. */
export function parseFacts(text: string, asked: Asked): NodeFacts {
    const raw = JSON.parse(text) as RawFacts | null;
    if (raw?.format !== 1) throw new SyntaxError("not the facts of a node");
    return {
        node: asked.node,
        ...raw.system,
        clockAhead: raw.clock - asked.clock,
        memory: raw.memory,
        docker: dockerFacts(raw.docker),
        ...optional("shm", space(raw.ipc.shm)),
        removeIpc: raw.ipc.removeIpc,
        memlock: raw.memlock,
        rdma: raw.rdma,
        ...optional("interfaces", raw.interfaces?.flatMap(interfaceFacts)),
        speeds: raw.speeds,
        capable: raw.capable,
        ...optional("route", raw.route ?? undefined),
        ...optional("peers", raw.peers ?? undefined),
        devices: raw.devices,
        paths: raw.paths.map(({ space: room, ...path }) => ({
            ...path,
            ...optional("space", space(room)),
        })),
        mounts: raw.mounts.map(({ point, type, source, options }) => ({
            point: unescapeOctal(point),
            type,
            source: unescapeOctal(source),
            options,
        })),
        ...optional("hub", raw.hub === null ? undefined : hubFacts(raw.hub)),
        ...optional("listeners", raw.ports ?? undefined),
        holders: raw.holders,
        largest: raw.largest,
    };
}

/** A key that is absent rather than undefined. */
function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
    return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}

function space(raw: RawSpace | null | undefined): Space | undefined {
    return raw ?? undefined;
}

function dockerFacts(raw: RawDocker): DockerFacts {
    const { info } = raw;
    const status = info?.driverStatus ?? [];
    return {
        path: raw.path,
        elsewhere: raw.elsewhere,
        ...optional("error", raw.error),
        ...optional("version", info?.version),
        ...optional("driver", info?.driver),
        ...optional("arch", info?.arch),
        ...optional("root", info?.root),
        containerdSnapshotter: status.some(([, value]) => value?.includes("snapshotter") === true),
        runtimes: (info?.runtimes ?? []).filter((name) => name !== null),
        ...optional("defaultRuntime", info?.defaultRuntime),
        rootless: info?.security?.includes("name=rootless") === true,
        socket: raw.socket,
        gpuHook: raw.gpuHook,
        ...optional("space", space(raw.space)),
        containers: (raw.containers ?? []).map(
            ({ state, ports, stack, group, owner, ...rest }) => ({
                ...rest,
                running: state === "running",
                publishedPorts: publishedPorts(ports),
                ...optional("stack", stack || undefined),
                ...optional("groupId", group || undefined),
                ...optional("owner", owner || undefined),
            }),
        ),
        images: (raw.images ?? []).map(({ tags, digests, id, arch, user, context }) => ({
            tags: tags ?? [],
            digests: digests ?? [],
            id,
            arch,
            user,
            ...optional("context", context || undefined),
        })),
    };
}

/** Host ports of `0.0.0.0:3000->8080/tcp, [::]:4000-4001->4000-4001/tcp`. */
function publishedPorts(text: string): number[] {
    const ports = [...text.matchAll(/:(\d+)(?:-(\d+))?->/g)].flatMap(([, first, last = first]) =>
        Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i),
    );
    return [...new Set(ports)];
}

function interfaceFacts(raw: RawInterface): InterfaceFacts[] {
    // iproute2 before 6 prints {} for what a filter left out.
    if (raw.ifname === undefined) return [];
    return [
        {
            name: raw.ifname,
            mtu: raw.mtu ?? 0,
            up: raw.operstate === "UP" || raw.flags?.includes("LOWER_UP") === true,
            addresses: (raw.addr_info ?? []).flatMap(({ local, prefixlen }) =>
                local === undefined ? [] : [{ address: local, prefix: prefixlen ?? 32 }],
            ),
        },
    ];
}

function hubFacts(raw: RawHub): HubFacts {
    const { snapshot } = raw;
    const main = raw.hasMain === true ? fromHex(raw.mainHex ?? "") : undefined;
    return {
        state: raw.state,
        folder: raw.folder,
        ...optional("main", main),
        snapshots: raw.snapshots ?? [],
        ...(snapshot === undefined || snapshot === null
            ? {}
            : {
                  snapshot: {
                      revision: snapshot.revision,
                      names: snapshot.names,
                      sizes: snapshot.sizes,
                      shards: snapshot.shards,
                      wants: snapshot.wants,
                      ...optional("totalSize", snapshot.totalSize ?? undefined),
                      ...optional("config", configOf(snapshot.config)),
                  },
              }),
    };
}

function fromHex(hex: string): string {
    const bytes = hex.match(/../g) ?? [];
    return bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join("");
}

function configOf(base64: string): Readonly<Record<string, unknown>> | undefined {
    if (base64 === "") return undefined;
    try {
        return JSON.parse(Buffer.from(base64, "base64").toString()) as Record<string, unknown>;
    } catch {
        return undefined;
    }
}

/** The kernel writes blanks, tabs, newlines and backslashes of a mount point as `\040`. */
function unescapeOctal(text: string): string {
    return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 8)),
    );
}
