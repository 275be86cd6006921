import { RecipeError, type Issue } from "../issue";
import { checkSchema } from "./checkSchema";
import type { Draft } from "./draft";
import { locate } from "./locate";
import { normalise, readToml } from "./readToml";
import { rules } from "./rules";
import { shmBytes } from "./shmBytes";
import { slugOf } from "./slug";
import type { Recipe } from "./types";

function servedName(args: readonly string[], model: string): string {
    const index = args.indexOf("--served-model-name");
    return (index < 0 ? undefined : args[index + 1]) ?? model;
}

function toRecipe(
    { fields, args, env, mounts }: Draft,
    file: string,
    warnings: readonly Issue[],
): Recipe {
    const words = args.filter((word) => word !== undefined);
    const model = fields.model ?? "";
    const shm = fields.shm_size === undefined ? undefined : shmBytes(fields.shm_size);
    return {
        file,
        slug: slugOf(file),
        engine: "vllm",
        name: fields.name ?? "",
        dockerImage: fields.docker_image ?? "",
        ...(fields.docker_image_dir === undefined
            ? {}
            : { dockerImageDir: fields.docker_image_dir }),
        model,
        ...(fields.model_revision === undefined ? {} : { modelRevision: fields.model_revision }),
        servedModelName: servedName(words, model),
        requiredNodes: fields.required_nodes ?? 1,
        tensorParallelSize: fields.tensor_parallel_size ?? 1,
        pipelineParallelSize: fields.pipeline_parallel_size ?? 1,
        distributedBackend: fields.distributed_backend ?? "mp",
        ...(shm === undefined ? {} : { shmBytes: shm }),
        args: words,
        env: Object.fromEntries(env),
        mounts: mounts.filter((mount) => mount !== undefined),
        warnings,
    };
}

/**
 * A recipe's text as data: JSON arguments plain, defaults filled in, everything else untouched and in order.
 *
 * Throws RecipeError with every problem at once, warnings among them, each with its line and column.
 */
export function parseRecipe(text: string, file: string): Recipe {
    const plain = normalise(text);
    const table = readToml(plain, file);
    if (isIssue(table)) throw new RecipeError([table]);
    const { draft, findings } = checkSchema(table);
    const issues = locate([...findings, ...rules.flatMap((rule) => rule(draft))], plain, file);
    if (issues.some(({ severity }) => severity === "error")) throw new RecipeError(issues);
    return toRecipe(draft, file, issues);
}

const isIssue = (result: object): result is Issue => "severity" in result && "code" in result;
