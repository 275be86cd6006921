/** A share that the program mounts on every node. */
export interface NasMountPlan {
    /** The hub's root, absolute. */
    readonly path: string;
    readonly source: string;
    readonly type: string;
    /** As `mount -o` takes them; may be empty. */
    readonly options: string;
}
