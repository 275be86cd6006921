import * as z from "zod";
import { field } from "./field";
import * as patterns from "./patterns";

const wholeNumber = () => z.int().min(1).max(1024);

/** A mount of the ranks' containers. */
export const mountSchema = z.strictObject({
    host: field(z.string(), {
        description:
            "Directory on each node. `~` is the login user's home on that node; what lies below it is made by the " +
            "program, any other directory must exist.",
        expected: "an absolute path, or one below the login user's home: ~/…",
        example: '"~/.cache/my-model/triton"',
    }),
    container: field(z.string(), {
        description: "Directory in the container where it appears.",
        expected: "an absolute path in the container",
        example: '"/root/.triton"',
    }),
    env: field(z.string().regex(patterns.variableName), {
        description:
            "Variable that is set to the container path. The mount with `HF_HOME` is the model hub.",
        expected: "the name of a variable",
        example: '"HF_HOME"',
    }).optional(),
    read_only: field(z.boolean(), {
        description: "Whether the container may only read it.",
        expected: "true or false",
        example: "true",
    }).default(false),
});

/** A recipe: closed, other keys are errors. */
export const recipeSchema = z.strictObject({
    engine: field(z.literal("vllm"), {
        description: "The engine that serves the model.",
        expected: '"vllm"',
        example: '"vllm"',
    }),
    name: field(z.string().regex(/\S/), {
        description:
            "Title, for people. It may hold anything; names and labels come from the recipe's folder.",
        expected: "a title",
        example: '"My Model (2x Spark)"',
    }),
    docker_image: field(z.string().regex(patterns.imageReference), {
        description:
            "Image of the ranks. With `docker_image_dir` it is built on each node and its tag gets a content digest; " +
            "without it the image must be on the nodes already.",
        expected: "an image name in small letters, best with a tag",
        example: '"my-model:local"',
    }),
    docker_image_dir: field(z.string().regex(patterns.folder), {
        description: "Folder under `docker-images/` that the image is built from.",
        expected: "the name of a folder under docker-images/",
        example: '"my-model"',
    }).optional(),
    model: field(z.string().regex(patterns.model), {
        description: "The model's id on the hub, or an absolute path in the container.",
        expected: "a hub id like org/model, or an absolute path in the container",
        example: '"org/my-model"',
    }),
    model_revision: field(z.string().regex(patterns.commit), {
        description:
            "The model's commit on the hub, for all ranks. The stack's `model.revision` wins over it.",
        expected: "a commit of 40 hex digits in small letters",
        example: '"0123456789abcdef0123456789abcdef01234567"',
    }).optional(),
    required_nodes: field(wholeNumber(), {
        description:
            "Machines that serve the model together. Each has one GPU, so this is also the number of ranks.",
        expected: "a whole number, 1 or more",
        example: "2",
    }),
    tensor_parallel_size: field(wholeNumber(), {
        description:
            "Ranks that share each layer; times `pipeline_parallel_size` it is `required_nodes`.",
        expected: "a whole number, 1 or more",
        example: "2",
    }),
    pipeline_parallel_size: field(wholeNumber(), {
        description: "Stages that the layers are split into.",
        expected: "a whole number, 1 or more",
        example: "1",
    }).default(1),
    distributed_backend: field(z.literal("mp"), {
        description: "How the engine starts its ranks: `mp`, without Ray.",
        expected: '"mp": the ranks meet without Ray',
        example: '"mp"',
    }).default("mp"),
    shm_size: field(z.string().regex(patterns.size), {
        description:
            "Size of the container's /dev/shm: a whole number and one of b, k, kb, m, mb, g, gb in powers of 1024, " +
            "any case. Without effect while the containers use the host's IPC namespace, as they do.",
        expected: "a whole number and one of b, k, kb, m, mb, g, gb, without a space",
        example: '"32gb"',
    }).optional(),
    args: field(z.array(z.string()), {
        description:
            "Arguments of `vllm serve` in order, each word a string of its own. JSON may stand in single quotes as in " +
            "a shell; they are taken off once. Flags that the program sets are refused.",
        expected: "a list of strings, each flag and each value one of them",
        example: '["--max-model-len", "8192", "--enable-prefix-caching"]',
    }).default([]),
    env: field(z.record(z.string(), z.string()), {
        description: "Environment of every rank. What is a fact of a node is set by the program.",
        expected: "a table of strings",
        example: '{ HF_HUB_OFFLINE = "1" }',
    }).default({}),
    extra_mounts: field(z.array(mountSchema), {
        description: "Directories of each node that the containers see.",
        expected: "a list of tables with host and container",
        example: '[{ host = "/mnt/nas/hub", container = "/mnt/nas/hub", env = "HF_HOME" }]',
    }).default([]),
});

/** Keys at the top of a recipe. */
export type TopKey = keyof typeof recipeSchema.shape;

/** Keys at the top of a recipe, in the order of the reference. */
export const topKeys = Object.keys(recipeSchema.shape) as TopKey[];

/** Keys of a mount. */
export const mountKeys = Object.keys(mountSchema.shape);
