/** How the work is cut; compiled kernels are made for one way. */
export interface Topology {
    readonly tensorParallelSize: number;
    readonly pipelineParallelSize: number;
    /** e.g. `linux/arm64`. */
    readonly platform: string;
}

/** How compiled kernels are kept apart. */
export interface JitPlan {
    readonly topology: Topology;
    /** fresh: caches of other libraries are set aside; keep: they stay in place. */
    readonly onChange: "fresh" | "keep";
}

/** What stays on the nodes beside the containers. */
export interface Housekeeping {
    /** Images that stay on each node, the serving one counted, with their JIT caches. */
    readonly retain: number;
    /** What destroy removes besides the containers. */
    readonly purge: readonly ("images" | "caches")[];
}
