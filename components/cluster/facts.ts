import type { DockerFacts, Space } from "./factsDocker";

export type * from "./factsDocker";

export interface GidFacts {
    readonly index: number;
    readonly gid: string;
    /** `RoCE v2` is what NCCL wants. */
    readonly type: string;
    readonly interface: string;
}

export interface RdmaFacts {
    readonly name: string;
    /** Of port 1, e.g. `4: ACTIVE`. */
    readonly state: string;
    /** Of the link now, e.g. `200 Gb/sec (4X HDR)`. */
    readonly rate: string;
    readonly interfaces: readonly string[];
    /** Those that are set. */
    readonly gids: readonly GidFacts[];
    /** The program that told of it, where sysfs had nothing: GIDs are unknown then. */
    readonly tool?: string;
}

export interface InterfaceFacts {
    readonly name: string;
    readonly mtu: number;
    readonly up: boolean;
    readonly addresses: readonly { readonly address: string; readonly prefix: number }[];
}

/** What stands at a path that a rank mounts. */
export interface PathFacts {
    readonly path: string;
    /** `hung`: no answer in time; `broken`: only an error; `missing`; else as `stat` says, e.g. `directory`. */
    readonly state: string;
    /** Without symbolic links. */
    readonly resolved?: string;
    readonly readable?: boolean;
    readonly writable?: boolean;
    readonly empty?: boolean;
    readonly space?: Space;
    /** The nearest directory above that exists, of a missing path. */
    readonly above?: string;
    /** What the system said of a `broken` path. */
    readonly error?: string;
}

export interface MountFacts {
    readonly point: string;
    readonly type: string;
    readonly source: string;
    readonly options: string;
}

export interface SnapshotFacts {
    readonly revision: string;
    /** Every file of the snapshot. */
    readonly names: readonly string[];
    /** Bytes of those whose link resolves. */
    readonly sizes: Readonly<Record<string, number>>;
    /** What the index says of the weights; empty without an index. */
    readonly shards: readonly string[];
    /** Bytes that a shard's own header says it has; empty where the node has no Perl. */
    readonly wants: Readonly<Record<string, number>>;
    /** Bytes of all tensors as the index has it. */
    readonly totalSize?: number;
    /** The model's config.json, when it could be read. */
    readonly config?: Readonly<Record<string, unknown>>;
}

export interface HubFacts {
    readonly state: "present" | "missing" | "hung" | "misplaced";
    readonly folder: string;
    /** refs/main as it is, every byte; undefined when there is none. */
    readonly main?: string;
    readonly snapshots: readonly string[];
    readonly snapshot?: SnapshotFacts;
}

export interface ListenerFacts {
    readonly address: string;
    readonly port: number;
    /** Empty when the login user may not see it. */
    readonly process: string;
    readonly pid: number;
    /** Id of the container it is in, when that is known. */
    readonly container: string;
}

/** A process that holds memory. */
export interface HolderFacts {
    readonly pid: number;
    readonly mib: number;
    /** Id of the container it is in; empty outside one. */
    readonly container: string;
    readonly process: string;
}

/** A try to connect to another node over the fabric. */
export interface TcpFacts {
    readonly address: string;
    readonly port: number;
    /** `silent`: no answer in time, as behind a firewall that drops. */
    readonly state: "open" | "refused" | "silent";
}

/** What one node told of itself, in one look. */
export interface NodeFacts {
    /** Name in the stack's configuration. */
    readonly node: string;
    readonly hostname: string;
    /** As the kernel names it, e.g. `aarch64`. */
    readonly arch: string;
    readonly kernel: string;
    /** e.g. `Ubuntu 24.04.3 LTS`. */
    readonly os: string;
    readonly bootId: string;
    readonly user: string;
    readonly uid: number;
    readonly home: string;
    /** Seconds that the node's clock is ahead of this machine's. */
    readonly clockAhead: number;
    /** KiB, under the names of /proc/meminfo. */
    readonly memory: Readonly<Record<string, number>>;
    readonly docker: DockerFacts;
    readonly shm?: Space;
    /** logind's setting; empty when it is the default, which is yes. */
    readonly removeIpc: string;
    /** KiB or `unlimited` of locked memory, for the login user and for dockerd; empty when unknown. */
    readonly memlock: { readonly user: string; readonly docker: string };
    readonly rdma: readonly RdmaFacts[];
    /** undefined: the node has no iproute2. */
    readonly interfaces?: readonly InterfaceFacts[];
    /** Mbit/s by interface. */
    readonly speeds: Readonly<Record<string, number>>;
    /** Mbit/s that the fabric's interface could do, by interface; empty when nobody tells. */
    readonly capable: Readonly<Record<string, number>>;
    /** The IPv4 default route. */
    readonly route?: { readonly interface: string; readonly gateway: string };
    /** Whether the other nodes' fabric addresses answer a ping; undefined without a ping program. */
    readonly peers?: Readonly<Record<string, boolean>>;
    /** Names in /dev/infiniband. */
    readonly devices: readonly string[];
    readonly paths: readonly PathFacts[];
    /** In the order of mounting: a later one hides an earlier one at the same point. */
    readonly mounts: readonly MountFacts[];
    readonly hub?: HubFacts;
    /** undefined: the node has no `ss`. */
    readonly listeners?: readonly ListenerFacts[];
    /** What processes hold of the GPU's memory. */
    readonly holders: readonly HolderFacts[];
    /** The largest processes by resident memory, from 1 GiB on, at most three. */
    readonly largest: readonly HolderFacts[];
    /** Which TCP ports of other nodes open over the fabric; undefined: not tried; `unable`: the node cannot try. */
    readonly tcp?: readonly TcpFacts[] | "unable";
}
