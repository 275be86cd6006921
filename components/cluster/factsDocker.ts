/** One container on a node, ours or a stranger's. */
export interface ContainerFacts {
    readonly id: string;
    /** Without the leading slash. */
    readonly name: string;
    readonly image: string;
    readonly running: boolean;
    /** As Docker shows it, e.g. `Exited (137) 3 minutes ago`. */
    readonly status: string;
    readonly network: string;
    /** Host ports that it publishes while it runs. */
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
    /** Who runs in it; empty: root. */
    readonly user: string;
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
    /** What the client said when the daemon did not answer, or (there is a `version`) did not list its containers. */
    readonly error?: string;
    readonly version?: string;
    readonly driver?: string;
    readonly arch?: string;
    readonly root?: string;
    readonly containerdSnapshotter: boolean;
    readonly runtimes: readonly string[];
    readonly defaultRuntime?: string;
    /** A daemon without root's rights. */
    readonly rootless: boolean;
    /** Owner and mode of the socket, e.g. `root:docker 660`. */
    readonly socket: string;
    /** A program that lets Docker give out GPUs; empty without one. */
    readonly gpuHook: string;
    readonly space?: Space;
    readonly containers: readonly ContainerFacts[];
    readonly images: readonly ImageFacts[];
}
