import { readFileSync } from "node:fs";
import * as path from "node:path";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { type Cluster, ownKeys, parseCluster } from "../../components/cluster";
import type { PlanInput } from "../../components/plan";
import type { Recipe } from "../../components/recipe";

const root = path.join(__dirname, "../..");

interface SeedToml {
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly extra_mounts: readonly { host: string; container: string; env?: string }[];
}

/**
 * The seed as the plan gets it, read without the recipe's own parser, so that a fault of one is not hidden by the other:
 * quotes around JSON arguments are taken off here by hand.
 */
export function seedRecipe(): Recipe {
    const file = "recipes/dsv4-flash-vision/recipe.toml";
    const toml = parseToml(readFileSync(path.join(root, file), "utf8")) as unknown as SeedToml;
    return {
        file,
        slug: "dsv4-flash-vision",
        engine: "vllm",
        name: "DeepSeek V4 Flash Vision-Exp (vLLM, 2x Spark, DSpark-6)",
        dockerImage: "dsv4-flash-vision:local",
        dockerImageDir: "dsv4-flash-vision",
        model: "deepseek-ai/DeepSeek-V4-Flash-Vision-Exp",
        servedModelName: "deepseek-v4-flash-vision",
        requiredNodes: 2,
        tensorParallelSize: 2,
        pipelineParallelSize: 1,
        distributedBackend: "mp",
        shmBytes: 32 * 1024 ** 3,
        args: toml.args.map((word) => word.trim().replace(/^'(.*)'$/s, "$1")),
        env: toml.env,
        mounts: toml.extra_mounts.map((mount) => ({ ...mount, readOnly: false })),
        warnings: [
            {
                ...{ code: "unpinned-model", severity: "warning", file, path: "model" },
                ...{ problem: "no revision", expected: "a commit" },
            },
        ],
    };
}

/** The example stack of this project. */
export function exampleCluster(change: Readonly<Record<string, unknown>> = {}): Cluster {
    const file = "Pulumi.spark.yaml";
    const text = readFileSync(path.join(root, file), "utf8");
    const { config } = parseYaml(text) as { config: Record<string, unknown> };
    return parseCluster({ ...ownKeys(config), ...change }, { file, text });
}

/** A fixed image: the real folder's digest is tested elsewhere, and must not change this golden. */
export const image = {
    context: "docker-images/dsv4-flash-vision",
    dockerfile: "docker-images/dsv4-flash-vision/Dockerfile",
    args: {},
    bases: [],
    digest: "1a2b3c4d5e6f7081".repeat(4),
    smoke: {
        vision: { placeholder: "<\uff5cdeepseek_image\uff5c>", maxTokensPerImage: 384 },
        boot: { weightsGib: 84, kvCacheTokens: 1_250_741, bootSeconds: 530, tolerance: 0.05 },
    },
};

/** The seed on the example pair. */
export function seedInput(change: Readonly<Record<string, unknown>> = {}): PlanInput {
    const names = { stack: "spark", owner: "organization/spark-vllm/spark" };
    return { recipe: seedRecipe(), cluster: exampleCluster(change), image, ...names };
}

const input = seedInput();

/** The seed with recipe or cluster changed. */
export const seedWith = (
    recipe: Partial<Recipe>,
    cluster: Partial<PlanInput["cluster"]> = {},
): PlanInput => ({
    ...input,
    recipe: { ...input.recipe, ...recipe },
    cluster: { ...input.cluster, ...cluster },
});

/** The seed's second node changed. */
export const withSecond = (change: object): PlanInput => {
    const [head, worker] = input.cluster.nodes;
    return seedWith({}, { nodes: [head!, { ...worker!, ...change }] });
};
