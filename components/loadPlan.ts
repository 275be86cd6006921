import { parseCluster, placeIssues } from "./cluster";
import { imageSource } from "./image";
import { RecipeError } from "./issue";
import { planStack, type StackPlan } from "./plan";
import { parseRecipe, type Recipe } from "./recipe";
import { findRecipe, readRecipe } from "./recipeFile";

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
 * Throws RecipeError with every problem found, placed in its file; reads files only, contacts no node.
 */
export function loadPlan(source: StackSource): StackPlan {
    const { stack, text } = source;
    const place = { file: `Pulumi.${stack}.yaml`, ...(text === undefined ? {} : { text }) };
    try {
        return walk(source, place);
    } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        // What recipe and configuration contradict each other in has its line in the stack's file too.
        throw new RecipeError(placeIssues(error.issues, place));
    }
}

/** A revision in the stack pins the model, so a broken recipe is not blamed for having none. */
function readPinned(file: string, pinned: boolean): Recipe {
    try {
        return parseRecipe(readRecipe(file), file);
    } catch (error) {
        if (!(error instanceof RecipeError) || !pinned) throw error;
        throw new RecipeError(error.issues.filter(({ code }) => code !== "unpinned-model"));
    }
}

function walk(
    { project, stack, owner, config }: StackSource,
    place: { readonly file: string; readonly text?: string },
): StackPlan {
    const { file } = place;
    const cluster = parseCluster(config, place);
    const recipeFile = findRecipe(project, cluster.recipe);
    const recipe = readPinned(recipeFile, cluster.model.revision !== undefined);
    const { base, dir: stackDir, mirrors, allowUnpinnedBase } = cluster.image;
    const dir = stackDir ?? recipe.dockerImageDir;
    const namedIn =
        stackDir === undefined
            ? { file: recipeFile, path: "docker_image_dir" }
            : { file, path: "image.dir" };
    const image =
        dir === undefined
            ? null
            : imageSource(project, dir, {
                  namedIn,
                  configFile: file,
                  mirrors,
                  unpinnedBase: allowUnpinnedBase,
                  ...(base === undefined ? {} : { base }),
              });
    return planStack({ recipe, cluster, image, stack, owner });
}
