/** Printed by the image check: what the image was found to hold, the same on every node. Small: the state keeps it. */
export interface ImageContent {
    /** sha256 over the whole manifest; null for an image without Python. */
    readonly digest: string | null;
    readonly python: string | null;
    /** Versions of the engine, of what it computes with and of its plugins. */
    readonly packages: Readonly<Record<string, string>>;
    /** Module -> sha256 over its files. */
    readonly contents: Readonly<Record<string, string>>;
    /** Node -> id in that node's Docker. */
    readonly images: Readonly<Record<string, string>>;
    readonly warnings: readonly string[];
}
