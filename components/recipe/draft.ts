import type { Arguments } from "./args/readArgs";

/** The fields of a recipe that stand alone, by their names in TOML. */
export interface Fields {
    readonly engine?: "vllm";
    readonly name?: string;
    readonly docker_image?: string;
    readonly docker_image_dir?: string;
    readonly model?: string;
    readonly model_revision?: string;
    readonly required_nodes?: number;
    readonly tensor_parallel_size?: number;
    readonly pipeline_parallel_size?: number;
    readonly distributed_backend?: string;
    readonly shm_size?: string;
}

/** A mount with its paths as Docker would make them; what is wrong or missing is undefined. */
export interface DraftMount {
    readonly host?: string;
    readonly container?: string;
    readonly env?: string;
    readonly readOnly: boolean;
}

/**
 * What could be read of a recipe, right or wrong elsewhere, so that the rules can look at the rest and one run shows
 * all problems. Defaults are filled in; what is wrong or missing is undefined.
 */
export interface Draft {
    readonly fields: Fields;
    /** JSON unwrapped; undefined where an item is no string. */
    readonly args: readonly (string | undefined)[];
    /** The same, as flags and values. */
    readonly read: Arguments;
    /** In order; undefined where a value is no string. */
    readonly env: readonly (readonly [name: string, value: string | undefined])[];
    readonly mounts: readonly DraftMount[];
}
