interface Recipes {
    readonly valid: boolean;
    readonly text: string;
}
const { commentOf } = jest.requireActual<{
    readonly commentOf: (recipes: Recipes, preview?: object) => string;
}>("../../scripts/gitops/comment.js");

const valid: Recipes = { valid: true, text: "recipes/a/recipe.toml is valid." };
const step = (op: string, type: string, name: string) => ({
    op,
    urn: `urn:pulumi:spark::spark-vllm::spark-vllm:index:Cluster$${type}::${name}`,
});
const node = (name: string) => step("same", "spark-vllm:index:Node", name);
const rankType = "docker:index/rankType:Container";

test("a changed argument: replaced ranks, old and new value, every change", () => {
    const preview = {
        stack: "spark",
        steps: [
            node("spark-1"),
            node("spark-2"),
            step("replace", rankType, "spark-1-rank"),
            step("create-replacement", rankType, "spark-2-rank"),
            step("replace", "command:local:Command", "launch"),
        ],
        diagnostics: [
            {
                severity: "info",
                message:
                    "replaces 2 ranks, without service for about 6 s; since the group last served:\n  --max-num-seqs: 2 -> 4 (all ranks)\n",
            },
        ],
    };
    expect(commentOf(valid, preview)).toBe(`### Stack \`spark\`: replaces 2 ranks

Replaces 2 ranks, without service for about 6 s.

\`\`\`text
--max-num-seqs: 2 -> 4 (all ranks)
\`\`\`

<details><summary>3 resources change</summary>

\`\`\`text
+- spark-1   rank
+- spark-2   rank
+- group     launch
\`\`\`

</details>

All recipes are valid.
`);
});

test.each([
    [[node("spark-1")], "no change"],
    [[step("update", "command:local:Command", "preflight")], "no rank is replaced"],
    [[step("create", rankType, "spark-1-rank")], "creates 1 rank"],
    [
        [step("replace", rankType, "a-rank"), step("delete", rankType, "b-rank")],
        "replaces 1 rank, removes 1 rank",
    ],
])("headline of %j", (steps, headline) => {
    const [first] = commentOf(valid, { stack: "s", steps, diagnostics: [] }).split("\n");
    expect(first).toBe(`### Stack \`s\`: ${headline}`);
});

test("what is wrong is said whole, and cannot leave its fence", () => {
    const recipes = { valid: false, text: "recipe.toml:1  a = ```\n1 problem." };
    const preview = { stack: "s", steps: [], diagnostics: [], problem: "no stack named 's' found" };
    expect(commentOf(recipes, preview)).toBe(`### Stack \`s\`: no preview

\`\`\`text
no stack named 's' found
\`\`\`

**Not every recipe is valid:**

\`\`\`\`text
recipe.toml:1  a = \`\`\`
1 problem.
\`\`\`\`
`);
});

test("recipes alone, with their warnings", () => {
    const text = "recipe.toml:1:1  warning: x\n1 warning.";
    expect(commentOf({ valid: true, text })).toBe(
        `### Recipes checked\n\nAll recipes are valid.\n\n\`\`\`text\n${text}\n\`\`\`\n`,
    );
});
