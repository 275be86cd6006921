import type { Cluster, Node } from "../cluster";
import type { ImageSource } from "../image";
import type { Recipe } from "../recipe";

/** All that a plan depends on. */
export interface PlanInput {
    readonly recipe: Recipe;
    readonly cluster: Cluster;
    /** null: the image is not built by the program. */
    readonly image: ImageSource | null;
    /** Pulumi stack, e.g. `spark`. */
    readonly stack: string;
    /** `organization/project/stack`. */
    readonly owner: string;
}

/** The nodes that hold a rank, rank 0 first. */
export function rankNodes(cluster: Cluster): readonly Node[] {
    return cluster.nodes.filter((node) => node.spare === undefined);
}

/** The model's commit: the stack's wins over the recipe's. */
export function revisionOf({ recipe, cluster }: PlanInput): string | undefined {
    return cluster.model.revision ?? recipe.modelRevision ?? flagValue(recipe.args, ["--revision"]);
}

/** `--a_b` and `--a-b` are one flag to the engine. */
function flagName(word: string): string {
    return word.split("=", 1)[0]?.replaceAll("_", "-") ?? word;
}

/** Whether the recipe's arguments give one of a flag's spellings themselves. */
export function hasFlag(args: readonly string[], spellings: readonly string[]): boolean {
    return args.some((word) => word.startsWith("-") && spellings.includes(flagName(word)));
}

/** The value that the recipe's arguments give to a flag, after `=` or as the next word. */
export function flagValue(
    args: readonly string[],
    spellings: readonly string[],
): string | undefined {
    const index = args.findIndex(
        (word) => word.startsWith("-") && spellings.includes(flagName(word)),
    );
    const word = args[index];
    if (word === undefined) return undefined;
    return word.includes("=") ? word.slice(word.indexOf("=") + 1) : args[index + 1];
}
