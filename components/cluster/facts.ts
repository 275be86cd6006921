/** One container on a node, ours or a stranger's. */
export interface ContainerFacts {
    readonly id: string;
    /** Without the leading slash. */
    readonly name: string;
    readonly image: string;
    readonly running: boolean;
    readonly network: string;
    /** Host ports that it publishes. */
    readonly publishedPorts: readonly number[];
    /** Labels of a group of this program; undefined on strangers. */
    readonly stack?: string;
    readonly groupId?: string;
    readonly owner?: string;
}

export interface ImageFacts {
    readonly tags: readonly string[];
    readonly digests: readonly string[];
    readonly id: string;
    /** As Docker names it, e.g. `arm64`. */
    readonly arch: string;
    /** The content label, on images that the program built. */
    readonly context?: string;
}

export interface Space {
    readonly totalKib: number;
    readonly freeKib: number;
}

export interface DockerFacts {
    /** Where the command is on the PATH of a command over ssh; empty when it is not. */
    readonly path: string;
    /** Where it was found instead. */
    readonly elsewhere: string;
    /** What the client said when the daemon did not answer. */
    readonly error?: string;
    readonly version?: string;
    readonly driver?: string;
    readonly arch?: string;
    readonly root?: string;
    readonly containerdSnapshotter: boolean;
    readonly runtimes: readonly string[];
    /** Owner and mode of the socket, e.g. `root:docker 660`. */
    readonly socket: string;
    /** A program that lets Docker give out GPUs; empty without one. */
    readonly gpuHook: string;
    readonly space?: Space;
    readonly containers: readonly ContainerFacts[];
    readonly images: readonly ImageFacts[];
}

export interface GidFacts {
    readonly index: number;
    readonly gid: string;
    /** `RoCE v2` is what NCCL wants. */
    readonly type: string;
    readonly interface: string;
}

export interface RdmaFacts {
    readonly name: string;
    /** e.g. `4: ACTIVE`. */
    readonly state: string;
    readonly interfaces: readonly string[];
    /** Those that are set. */
    readonly gids: readonly GidFacts[];
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

/** What one node told of itself, in one look. */
export interface NodeFacts {
    /** Name in the stack's configuration. */
    readonly node: string;
    readonly hostname: string;
    /** As the kernel names it, e.g. `aarch64`. */
    readonly arch: string;
    readonly kernel: string;
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
    readonly removeIpc: string;
    readonly rdma: readonly RdmaFacts[];
    /** undefined: the node has no iproute2. */
    readonly interfaces?: readonly InterfaceFacts[];
    /** Mbit/s by interface. */
    readonly speeds: Readonly<Record<string, number>>;
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
    readonly holders: readonly {
        readonly pid: number;
        readonly mib: number;
        readonly container: string;
        readonly process: string;
    }[];
}
