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

/** Whether a word is one of a flag's spellings: `_` equals `-`, a value may follow `=`, a prefix is the flag (facts.md). */
function isFlag(word: string, spellings: readonly string[]): boolean {
    const name = (word.split("=", 1)[0] ?? word).replaceAll("_", "-");
    return spellings.some(
        (spelling) =>
            name === spelling ||
            (/^--\w/.test(name) && spelling.startsWith("--") && spelling.startsWith(name)),
    );
}

/** Whether the recipe's arguments give one of a flag's spellings themselves. */
export function hasFlag(args: readonly string[], spellings: readonly string[]): boolean {
    return args.some((word) => isFlag(word, spellings));
}

/** The value that the recipe's arguments give to a flag, after `=` or as the next word. */
export function flagValue(
    args: readonly string[],
    spellings: readonly string[],
): string | undefined {
    const index = args.findIndex((word) => isFlag(word, spellings));
    const word = args[index];
    if (word === undefined) return undefined;
    return word.includes("=") ? word.slice(word.indexOf("=") + 1) : args[index + 1];
}
