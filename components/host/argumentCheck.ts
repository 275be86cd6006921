import { randomBytes } from "node:crypto";

import program from "./argumentCheck.py";
import checkScript from "./argumentCheck.sh";
import entryScript from "./argumentCheckEntry.sh";
import type { CheckedRank } from "./argumentIssues";
import { readVerdict, type Verdict } from "./argumentVerdict";
import { runScript } from "./ssh";
import type { NodePlan } from "../plan";

/** What the check needs to know of a node and its rank. */
export interface ArgumentNode extends Pick<NodePlan, "name" | "ssh"> {
    readonly rank: Pick<NodePlan["rank"], "rank" | "command" | "env">;
}

export interface ArgumentCheckInput {
    readonly groupId: string;
    readonly image: { readonly tag: string; readonly platform: string };
    readonly nodes: readonly ArgumentNode[];
}

/** A parser answers in about 10 s (facts.md); a cold disk and an engine that serves beside it take their time. */
const timeoutSeconds = 150;

/** Variables that decide what the parser knows, or keep it from asking a network that is not there. */
const parserVariables = ["VLLM_PLUGINS", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"];

/**
 * Gives every rank's arguments to the parser of the image on its own node, all nodes at once, in throw-away
 * containers: no GPU, no network, no mounts, nothing pulled.
 *
 * Throws RecipeError when a node cannot be reached.
 */
export function checkArguments(
    { groupId, image, nodes }: ArgumentCheckInput,
    options: {
        readonly signal?: AbortSignal;
        readonly onDone?: (node: string, verdict: Verdict) => void;
    } = {},
): Promise<CheckedRank[]> {
    return Promise.all(
        nodes.map(async (node) => {
            const result = await runScript(node, checkScript, {
                args: [
                    ...[groupId, image.tag, image.platform],
                    ...[`spark-vllm-argument-check-${randomBytes(4).toString("hex")}`],
                    ...[String(timeoutSeconds), ...dockerWords(node, image.tag)],
                ],
                input: program,
                timeoutSeconds: timeoutSeconds + 60,
                ...(options.signal === undefined ? {} : { signal: options.signal }),
            });
            const verdict = readVerdict(result, timeoutSeconds);
            options.onDone?.(node.name, verdict);
            return { node: node.name, rank: node.rank.rank, verdict };
        }),
    );
}

/** What follows the options of `docker run` that are the same for every rank. */
function dockerWords({ rank }: ArgumentNode, image: string): readonly string[] {
    const env = parserVariables.flatMap((name) =>
        rank.env[name] === undefined ? [] : ["--env", `${name}=${rank.env[name]}`],
    );
    // The first two words are `vllm serve`, as whose parser the program acts.
    return [...env, "--entrypoint", "sh", image, "-c", entryScript, "sh", ...rank.command.slice(2)];
}
