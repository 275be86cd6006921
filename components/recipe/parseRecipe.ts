import { RecipeError, type Issue } from "../issue";
import type { Draft } from "./draft";
import { readRecipeText } from "./readText";
import { givenFlag, texts } from "./rules/rule";
import { shmBytes } from "./shmBytes";
import { slugOf } from "./slug";
import { normalise } from "./toml/readToml";
import type { Recipe } from "./types";

function servedName(draft: Draft, model: string): string {
    const given = givenFlag(draft, "--served-model-name");
    return (given === undefined ? undefined : texts(given)[0]?.text) ?? model;
}

/** Only keys that are there: an absent one is no undefined one. */
function present<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
    return Object.fromEntries(
        Object.entries(values).filter(([, value]) => value !== undefined),
    ) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function toRecipe(draft: Draft, file: string, warnings: readonly Issue[]): Recipe {
    const { fields, args, env, mounts } = draft;
    // Without errors every required field is there; the fallbacks are for the types alone.
    const model = fields.model ?? "";
    return {
        file,
        slug: slugOf(file),
        engine: "vllm",
        name: fields.name ?? "",
        dockerImage: fields.docker_image ?? "",
        model,
        servedModelName: servedName(draft, model),
        requiredNodes: fields.required_nodes ?? 1,
        tensorParallelSize: fields.tensor_parallel_size ?? 1,
        pipelineParallelSize: fields.pipeline_parallel_size ?? 1,
        distributedBackend: fields.distributed_backend ?? "mp",
        args: args.filter((word) => word !== undefined),
        env: Object.fromEntries(
            env.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
        ),
        mounts: mounts.map(({ host = "", container = "", ...rest }) => ({
            host,
            container,
            ...rest,
        })),
        warnings,
        ...present({
            dockerImageDir: fields.docker_image_dir,
            modelRevision: fields.model_revision,
            shmBytes: fields.shm_size === undefined ? undefined : shmBytes(fields.shm_size),
        }),
    };
}

/**
 * A recipe's text as data: JSON arguments plain, defaults filled in, everything else untouched and in order.
 *
 * Throws RecipeError with every problem at once, warnings among them, each with its line and column.
 */
export function parseRecipe(text: string, file: string): Recipe {
    const { draft, issues } = readRecipeText(normalise(text), file);
    const failed = issues.some(({ severity }) => severity === "error");
    if (draft === undefined || failed) throw new RecipeError(issues);
    return toRecipe(draft, file, issues);
}
