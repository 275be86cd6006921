import { hasFlag, rankNodes, revisionOf, type PlanInput } from "./planInput";

const loopback = "127.0.0.1";

/** Where the ranks meet: the head's fabric address; a group of one meets itself. */
function masterAddress(input: PlanInput): string {
    return rankNodes(input.cluster)[0]?.fabric?.address ?? loopback;
}

/**
 * The engine's argv for a rank. Order, fixed so that a diff shows what changed: the model first, because a flag that
 * takes several words would swallow it; then the recipe's arguments untouched; then the program's own flags, those of
 * all ranks before those of the role.
 */
export function rankCommand(input: PlanInput, rank: number): readonly string[] {
    const { recipe, cluster } = input;
    const revision = revisionOf(input);
    const unlessGiven = (spellings: readonly [string, ...string[]], value: string | undefined) =>
        value === undefined || hasFlag(recipe.args, spellings) ? [] : [spellings[0], value];
    return [
        ...["vllm", "serve"],
        // A recipe may repeat the field as --model; given twice, the engine refuses it.
        ...(hasFlag(recipe.args, ["--model"]) ? [] : [recipe.model]),
        ...recipe.args,
        ...unlessGiven(["--revision"], revision),
        ...unlessGiven(["--tensor-parallel-size", "-tp"], String(recipe.tensorParallelSize)),
        ...unlessGiven(["--pipeline-parallel-size", "-pp"], String(recipe.pipelineParallelSize)),
        ...unlessGiven(["--distributed-executor-backend"], recipe.distributedBackend),
        ...["--nnodes", String(recipe.requiredNodes), "--node-rank", String(rank)],
        ...["--master-addr", masterAddress(input), "--master-port", String(cluster.masterPort)],
        ...(rank === 0
            ? ["--host", cluster.api.bind, "--port", String(cluster.api.port)]
            : ["--headless"]),
    ];
}
