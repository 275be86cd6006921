import type { Mirror } from "./reference";

/** What a node builds, and its identity: the same digest means the same input to the build. */
export interface ImageSource {
    /** Build context relative to the project, with forward slashes: `docker-images/<dir>`. */
    readonly context: string;
    /** `docker-images/<dir>/Dockerfile`. */
    readonly dockerfile: string;
    /** Build arguments, e.g. `BASE`. */
    readonly args: Readonly<Record<string, string>>;
    /** Images that the builder pulls, mirrors applied; those without a digest, which nobody pulls, are not here. */
    readonly bases: readonly string[];
    /** sha256 over context, build arguments and base images, 64 hex digits; the same with any mirror. */
    readonly digest: string;
    /** What smoke.toml says; no part of the digest: it changes nothing that runs. */
    readonly smoke?: ImageSmoke;
}

/** Figures of a healthy start, from smoke.toml; those that it does not give are absent. */
export interface BootFigures {
    /** GiB of weights on each node. */
    readonly weightsGib?: number;
    /** KV cache of the group, tokens. */
    readonly kvCacheTokens?: number;
    /** From the ranks' start to serving, JIT caches warm. */
    readonly bootSeconds?: number;
    /** Part by which weights and KV cache may differ without a warning. */
    readonly tolerance: number;
}

/** What is known of an image for the tests of a group that runs it. */
export interface ImageSmoke {
    readonly vision?: {
        /** Text that stands for an image in the prompt. */
        readonly placeholder: string;
        /** Most prompt tokens that one image may cost. */
        readonly maxTokensPerImage: number;
    };
    readonly boot?: BootFigures;
}

export interface ImageOptions {
    /** Base image with its digest instead of the Dockerfile's own (`image.base` of the stack). */
    readonly base?: string;
    /** Accept base images without a digest; default false. */
    readonly unpinnedBase?: boolean;
    /** Registries that are reached elsewhere; default: none. */
    readonly mirrors?: readonly Mirror[];
    /** Where the folder was named, for messages; default: no file, `docker_image_dir`. */
    readonly namedIn?: { readonly file?: string; readonly path: string };
    /** File that holds `image.base`, for messages. */
    readonly configFile?: string;
}

/** A file of the build context, as far as the digest knows it. */
export interface ContextFile {
    /** Relative to the context, with forward slashes. */
    readonly path: string;
    readonly kind: "file" | "executable" | "link";
}

/** One instruction of a Dockerfile, its continuation lines joined. */
export interface Instruction {
    /** In capitals. */
    readonly keyword: string;
    /** What follows the keyword, without comments and line ends. */
    readonly text: string;
    /** 1-based line of the keyword. */
    readonly line: number;
    /** Comment lines directly above, without the `#`. */
    readonly comments: readonly string[];
}
