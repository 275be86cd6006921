/** A mount as the recipe has it; `host` may start with `~`, which is the login user's home on that node. */
export interface RecipeMount {
    /** Absolute, `~` or `~/…`. */
    readonly host: string;
    /** Absolute path in the container. */
    readonly container: string;
    /** Variable set to `container`, e.g. HF_HOME. */
    readonly env?: string;
    readonly readOnly: boolean;
}

/** A valid recipe: TOML's snake_case mapped once, JSON arguments unwrapped, defaults filled in. */
export interface Recipe {
    /** Path of the file as given. */
    readonly file: string;
    /** Name of the recipe's folder, valid in container names and labels. */
    readonly slug: string;
    readonly engine: "vllm";
    /** Title; may hold anything. */
    readonly name: string;
    /** e.g. `dsv4-flash-vision:local`. */
    readonly dockerImage: string;
    /** Folder under docker-images/ that the image is built from. */
    readonly dockerImageDir?: string;
    /** Hub id, e.g. `org/model`. */
    readonly model: string;
    /** 40 hex digits. */
    readonly modelRevision?: string;
    /** The first name the API answers to: --served-model-name, or the model's id. */
    readonly servedModelName: string;
    readonly requiredNodes: number;
    readonly tensorParallelSize: number;
    readonly pipelineParallelSize: number;
    readonly distributedBackend: string;
    readonly shmBytes?: number;
    /** Arguments of `vllm serve` in the recipe's order, JSON plain. */
    readonly args: readonly string[];
    /** In the recipe's order. */
    readonly env: Readonly<Record<string, string>>;
    readonly mounts: readonly RecipeMount[];
    /** Severity "warning" only: a recipe with errors does not become a Recipe. */
    readonly warnings: readonly import("../issue").Issue[];
}
