export interface ImagePlan {
    /**
     * `name:local-<12 digits of the context digest>`; of an image named by its digest `name:sha256-<12 digits>`; else
     * the recipe's own name.
     */
    readonly tag: string;
    /** The recipe's own name, e.g. `dsv4-flash-vision:local`; a built image gets it as well. */
    readonly reference: string;
    /** per-node: each node builds; ship: the first builds, the others receive that build over the fabric. */
    readonly strategy: "per-node" | "ship";
    /** null: not built by us, but pulled or present on the nodes. */
    readonly build: {
        /** Relative to the project. */
        readonly context: string;
        readonly dockerfile: string;
        readonly args: Readonly<Record<string, string>>;
        /** sha256 over context, arguments and base, 64 hex digits. */
        readonly digest: string;
        readonly labels: Readonly<Record<string, string>>;
    } | null;
    /** Absent: the program pulls nothing; what is not built must be there. */
    readonly pull?: PullPlan;
    /** e.g. `linux/arm64`. */
    readonly platform: string;
}

/** What is fetched from a registry before an image is built, sent or compared; only where it is not there yet. */
export interface PullPlan {
    /** ranks: the one image is the ranks' own, to be called by the plan's tag. bases: a build stands on them. */
    readonly what: "ranks" | "bases";
    /** As the registry names them, mirrors applied. One without a digest is resolved once, for all nodes. */
    readonly images: readonly string[];
    /** Ranks' nodes that pull. */
    readonly nodes: readonly string[];
    /** Who logs in where; the password is a secret of the stack. */
    readonly login?: { readonly server: string; readonly username: string };
}
