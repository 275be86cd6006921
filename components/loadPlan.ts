import { readFileSync } from "node:fs";

import { parseCluster } from "./cluster";
import { imageSource } from "./image";
import { planStack, type StackPlan } from "./plan";
import { parseRecipe } from "./recipe";
import { findRecipe } from "./recipeFile";

/** What the walk starts from: a stack's name and its configuration, wherever that was read. */
export interface StackSource {
    /** Folder of Pulumi.yaml; recipes and images are found from here. */
    readonly project: string;
    /** e.g. `spark`. */
    readonly stack: string;
    /** e.g. `organization/spark-vllm/spark`. */
    readonly owner: string;
    /** Configuration keys without their namespace. */
    readonly config: Readonly<Record<string, unknown>>;
    /** The configuration file's text, for the lines of messages; absent when there is no file. */
    readonly text?: string;
}

/**
 * The walk without the engine: configuration, recipe and image folder become a plan.
 *
 * Throws RecipeError with every problem found; reads files only, contacts no node.
 */
export function loadPlan(source: StackSource): StackPlan {
    const { project, stack, owner, text } = source;
    const file = `Pulumi.${stack}.yaml`;
    const cluster = parseCluster(source.config, { file, ...(text === undefined ? {} : { text }) });
    const recipeFile = findRecipe(project, cluster.recipe);
    const recipe = parseRecipe(readFileSync(recipeFile, "utf8"), recipeFile);
    const dir = cluster.image.dir ?? recipe.dockerImageDir;
    const { base } = cluster.image;
    const image =
        dir === undefined ? null : imageSource(project, dir, base === undefined ? {} : { base });
    return planStack({ recipe, cluster, image, stack, owner });
}
