import { placeIssues } from "../../components/cluster";
import { secretKeys } from "../../components/cluster/placeIssues";
import type { Issue } from "../../components/issue";
import { issuesOfText, file } from "./configFixture";

const text = `encryptionsalt: v1:x
config:
  # a comment
  spark-vllm:recipe: dsv4
  spark-vllm:masterPorts: 3
  spark-vllm:nodes:
    - name: spark-1
      host: nvidia@spark-1
      fabrik: {}
    - {name: spark-2, host: "spark-2 "}
  spark-vllm:api:
    port: 70000
    bind: 0.0.0.0
  spark-vllm:api.port: "8000"
`;

test("every problem at once, in the order of lines, with nearest keys", () => {
    const found = issuesOfText(text).map(({ line, column, path, problem, fix }) => [
        `${String(line)}:${String(column)} ${path}: ${problem}`,
        fix,
    ]);
    expect(found).toEqual([
        ["5:3 masterPorts: unknown key", "did you mean masterPort?"],
        ["9:7 nodes[0].fabrik: unknown key", "did you mean fabric?"],
        [
            '10:23 nodes[1].host: "spark-2 "',
            "for anything else (IPv6, jump host, other key) write a Host block into ssh_config and name its alias here",
        ],
        ["12:5 api.port: 70000", undefined],
        [
            "13:5 api.bind: 0.0.0.0 lets anyone who reaches the head use the API without a key",
            "pulumi config set --secret apiKey, or api.open: true",
        ],
        [
            '14:3 ["api.port"]: unknown key',
            "pulumi config set --path 'api.port' VALUE writes into the block; remove this line",
        ],
    ]);
});

test.each(secretKeys)("%s in plain text: told, not shown", (key) => {
    const issues = issuesOfText(`config:
  spark-vllm:recipe: dsv4
  spark-vllm:${key}: hunter2
`);
    const own = issues.filter(({ path }) => path === key);
    expect(own.map(({ line, problem }) => [line, problem])).toContainEqual([
        3,
        "stands in the file in plain text",
    ]);
    expect(JSON.stringify(issues)).not.toContain("hunter2");
});

test("secrets: in plain text, or where none belongs; never shown", () => {
    const issues = issuesOfText(`config:
  spark-vllm:recipe: dsv4
  spark-vllm:apiKey: hunter2
  spark-vllm:nodes:
    - name: spark-1
      host: spark-1
      env: {A: {secure: "v1:abc"}, B: 7}
`);
    expect(issues.map(({ line, path, problem }) => [line, path, problem])).toEqual([
        [3, "apiKey", "stands in the file in plain text"],
        [7, "nodes[0].env.A", "not usable as it is (value not shown)"],
        [7, "nodes[0].env.B", "not usable as it is (value not shown)"],
        [7, "nodes[0].env.A", "a secret stands here"],
    ]);
    expect(JSON.stringify(issues)).not.toMatch(/hunter2|v1:abc|7}/);
});

test("an issue of a missing key has the line of the block it is missing from", () => {
    const issue = { code: "bad-config", severity: "error", problem: "", expected: "" } as const;
    const placed = placeIssues([{ ...issue, file, path: "nodes[0].fabric" }], { file, text });
    expect(placed.map(({ line, column, source }) => [line, column, source])).toEqual([
        [7, 7, "    - name: spark-1"],
    ]);
});

test("issues of other files stay as they are", () => {
    const issue: Issue = {
        code: "bad-value",
        severity: "error",
        file: "recipe.toml",
        path: "nodes",
        problem: "",
        expected: "",
    };
    expect(placeIssues([issue], { file, text })).toEqual([issue]);
});
