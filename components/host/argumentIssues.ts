import type { Issue } from "../issue";
import type { Verdict } from "./argumentVerdict";

/** One rank's arguments and what the image on its node says of them. */
export interface CheckedRank {
    readonly node: string;
    readonly rank: number;
    readonly verdict: Verdict;
}

type Problem = Pick<Issue, "code" | "problem" | "expected" | "fix">;

const correct = "correct it in the recipe's args; the words are the engine's own";
const buildAgain =
    "run `pulumi up --refresh`: it finds what is missing on the nodes and builds it again";

function refusal(words: string): Problem {
    const unknown = words.includes("unrecognized arguments");
    return {
        code: unknown ? "unknown-flag" : "bad-value",
        problem: `the image's own parser refuses the arguments:\n${indent(words)}`,
        expected: "arguments that `vllm serve` of this image accepts",
        fix: correct,
    };
}

function indent(words: string): string {
    return words
        .split("\n")
        .map((line) => `    | ${line}`)
        .join("\n");
}

function problemOf(
    verdict: Verdict,
    image: { tag: string; platform: string },
): Problem | undefined {
    switch (verdict.kind) {
        case "accepted":
        case "skipped":
            return undefined;
        case "refused":
            return refusal(verdict.words);
        case "no-image":
            return {
                code: "image",
                problem: `there is no image ${image.tag} on this node`,
                expected: "it to be there before the group changes; it is never pulled here",
                fix: buildAgain,
            };
        case "platform":
            return {
                code: "image",
                problem: `${image.tag} was built for ${verdict.built}`,
                expected: `an image for ${image.platform} (image.platform)`,
            };
        case "docker":
            return {
                code: "docker",
                problem: `a container of ${image.tag} cannot be run: ${verdict.words}`,
                expected: "Docker on the node to run a container of the image",
            };
        default:
            return verdict satisfies never;
    }
}

/**
 * An issue a rank whose arguments cannot run; one for all when every node says the same.
 */
export function argumentIssues(
    ranks: readonly CheckedRank[],
    image: { readonly tag: string; readonly platform: string },
): readonly Issue[] {
    const found = ranks.flatMap(({ node, rank, verdict }) => {
        const problem = problemOf(verdict, image);
        return problem === undefined ? [] : [{ node, rank, problem }];
    });
    const same = new Map<string, typeof found>();
    for (const each of found) {
        const key = JSON.stringify(each.problem);
        same.set(key, [...(same.get(key) ?? []), each]);
    }
    return [...same.values()].flatMap(([first, ...rest]): readonly Issue[] => {
        if (first === undefined) return [];
        const all = [first, ...rest];
        const file =
            all.length === ranks.length && all.length > 1
                ? "all nodes"
                : all.map(({ node, rank }) => `${node} (rank ${String(rank)})`).join(", ");
        return [{ severity: "error", file, path: "", ...first.problem }];
    });
}
