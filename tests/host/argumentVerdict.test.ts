import { renderIssues } from "../../components/issue";
import { argumentIssues, type CheckedRank } from "../../components/host/argumentIssues";
import { readVerdict, type Verdict } from "../../components/host/argumentVerdict";

const line = (verdict: string, words: string) =>
    `INFO a line of the engine\n\nspark-vllm-verdict ${JSON.stringify({ verdict, words })}\n`;

test.each<[string, Parameters<typeof readVerdict>[0], Verdict]>([
    ["accepted", { code: 0, stdout: line("accepted", ""), stderr: "x" }, { kind: "accepted" }],
    [
        "refused, whatever the code",
        { code: 1, stdout: line("refused", "vllm: error: no"), stderr: "" },
        { kind: "refused", words: "vllm: error: no" },
    ],
    [
        "another layout",
        { code: 0, stdout: line("unknown", "no vllm package"), stderr: "" },
        { kind: "skipped", why: "no vllm package" },
    ],
    ["no image", { code: 3, stdout: "", stderr: "Error: No such image: x" }, { kind: "no-image" }],
    [
        "built for another platform",
        { code: 4, stdout: "", stderr: "linux/arm64\n" },
        { kind: "platform", built: "linux/arm64" },
    ],
    [
        "Docker cannot start it",
        { code: 125, stdout: "", stderr: "docker: Error response" },
        { kind: "docker", words: "docker: Error response" },
    ],
    [
        "no shell",
        { code: 127, stdout: "", stderr: 'exec: "sh": not found' },
        { kind: "skipped", why: "the image has no shell or no Python to ask" },
    ],
    [
        "too slow",
        { code: 124, stdout: "", stderr: "" },
        { kind: "skipped", why: "no answer within 150 s" },
    ],
    [
        "killed",
        { code: 137, stdout: "noise", stderr: "a\nKilled" },
        { kind: "skipped", why: "it ended with code 137: Killed" },
    ],
])("%s", (_, result, verdict) => {
    expect(readVerdict(result, 150)).toEqual(verdict);
});

const image = { tag: "engine:local-1", platform: "linux/arm64" };
const ranks = (...verdicts: readonly Verdict[]): readonly CheckedRank[] =>
    verdicts.map((verdict, rank) => ({ node: `spark-${String(rank + 1)}`, rank, verdict }));
const refused = (words: string): Verdict => ({ kind: "refused", words });

test("what all nodes say the same is said once", () => {
    const words = "vllm: error: unrecognized arguments: --no-such-flag 1";
    const issues = argumentIssues(ranks(refused(words), refused(words)), image);
    expect(renderIssues(issues, "")).toBe(
        [
            "all nodes  the image's own parser refuses the arguments:",
            `    | ${words}`,
            "    expected arguments that `vllm serve` of this image accepts; correct it in the recipe's args; the words are the engine's own",
            "1 problem.",
        ].join("\n"),
    );
    expect(issues.map(({ code }) => code)).toEqual(["unknown-flag"]);
});

test("what they say differently is said of each", () => {
    const issues = argumentIssues(
        ranks(refused("a"), { kind: "accepted" }, refused("b"), { kind: "skipped", why: "c" }),
        image,
    );
    expect(issues.map(({ code, file }) => ({ code, file }))).toEqual([
        { code: "bad-value", file: "spark-1 (rank 0)" },
        { code: "bad-value", file: "spark-3 (rank 2)" },
    ]);
});

test.each<[Verdict, string, string]>([
    [{ kind: "no-image" }, "image", "there is no image engine:local-1 on this node"],
    [
        { kind: "platform", built: "linux/amd64" },
        "image",
        "engine:local-1 was built for linux/amd64",
    ],
    [
        { kind: "docker", words: "no space" },
        "docker",
        "a container of engine:local-1 cannot be run: no space",
    ],
])("%j", (verdict, code, problem) => {
    expect(argumentIssues(ranks(verdict), image)).toMatchObject([
        { code, problem, file: "spark-1 (rank 0)" },
    ]);
});

test("accepted or skipped is no problem", () => {
    expect(
        argumentIssues(ranks({ kind: "accepted" }, { kind: "skipped", why: "" }), image),
    ).toEqual([]);
});
