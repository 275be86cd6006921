/** The JSON that the scripts of components/host/facts print. */
export interface RawFacts {
    readonly format: 1;
    readonly system: {
        readonly hostname: string;
        readonly arch: string;
        readonly kernel: string;
        readonly bootId: string;
        readonly user: string;
        readonly uid: number;
        readonly home: string;
        readonly os: string;
    };
    /** Seconds since 1970, when everything else was told. */
    readonly clock: number;
    readonly memory: Readonly<Record<string, number>>;
    readonly docker: RawDocker;
    readonly memlock: { readonly user: string; readonly docker: string };
    readonly ipc: { readonly shm: RawSpace | null; readonly removeIpc: string };
    readonly rdma: readonly {
        readonly name: string;
        readonly state: string;
        readonly rate: string;
        readonly interfaces: readonly string[];
        readonly gids: readonly {
            readonly index: number;
            readonly gid: string;
            readonly type: string;
            readonly interface: string;
        }[];
        readonly tool?: string;
    }[];
    readonly interfaces: readonly RawInterface[] | null;
    readonly speeds: Readonly<Record<string, number>>;
    readonly capable: Readonly<Record<string, number>>;
    readonly route: { readonly interface: string; readonly gateway: string } | null;
    readonly peers: Readonly<Record<string, boolean>> | null;
    readonly devices: readonly string[];
    readonly paths: readonly {
        readonly path: string;
        readonly state: string;
        readonly resolved?: string;
        readonly readable?: boolean;
        readonly writable?: boolean;
        readonly empty?: boolean;
        readonly space?: RawSpace | null;
        readonly above?: string;
        readonly error?: string;
    }[];
    readonly mounts: readonly {
        readonly point: string;
        readonly type: string;
        readonly source: string;
        readonly options: string;
    }[];
    readonly hub: RawHub | null;
    readonly ports:
        | readonly {
              readonly address: string;
              readonly port: number;
              readonly process: string;
              readonly pid: number;
              readonly container: string;
          }[]
        | null;
    readonly holders: readonly RawHolder[];
    readonly largest: readonly RawHolder[];
}

export interface RawHolder {
    readonly pid: number;
    readonly mib: number;
    readonly container: string;
    readonly process: string;
}

export interface RawSpace {
    readonly totalKib: number;
    readonly freeKib: number;
}

export interface RawDocker {
    readonly path: string;
    readonly elsewhere: string;
    readonly error?: string;
    readonly info?: {
        readonly version: string;
        readonly driver: string;
        readonly driverStatus: readonly (readonly string[])[] | null;
        readonly root: string;
        readonly arch: string;
        readonly runtimes: readonly (string | null)[];
        readonly defaultRuntime: string;
        readonly security: readonly string[] | null;
    } | null;
    readonly space?: RawSpace | null;
    readonly containers?: readonly {
        readonly id: string;
        readonly name: string;
        readonly image: string;
        /** `running`, `exited`… */
        readonly state: string;
        readonly status: string;
        readonly network: string;
        /** As `docker ps` shows them: `0.0.0.0:3000->8080/tcp, …`. */
        readonly ports: string;
        readonly stack: string;
        readonly group: string;
        readonly owner: string;
    }[];
    readonly images?: readonly {
        readonly tags: readonly string[] | null;
        readonly digests: readonly string[] | null;
        readonly id: string;
        readonly arch: string;
        readonly user: string;
        readonly context: string;
    }[];
    readonly socket: string;
    readonly gpuHook: string;
}

export interface RawInterface {
    readonly ifname?: string;
    readonly mtu?: number;
    readonly operstate?: string;
    readonly flags?: readonly string[];
    readonly addr_info?: readonly { readonly local?: string; readonly prefixlen?: number }[];
}

export interface RawHub {
    readonly state: "present" | "missing" | "hung" | "misplaced";
    readonly folder: string;
    readonly hasMain?: boolean;
    readonly mainHex?: string;
    readonly snapshots?: readonly string[];
    readonly snapshot?: {
        readonly revision: string;
        readonly names: readonly string[];
        readonly sizes: Readonly<Record<string, number>>;
        readonly shards: readonly string[];
        readonly wants: Readonly<Record<string, number>>;
        readonly totalSize: number | null;
        readonly config: string;
    } | null;
}
