import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { selectedStack, stackName } from "../../cli/selectedStack";

let home: string;
let project: string;

beforeAll(() => {
    home = realpathSync(mkdtempSync(path.join(tmpdir(), "spark-home-")));
    project = path.join(home, "project");
    mkdirSync(path.join(home, "workspaces"));
    mkdirSync(project);
    symlinkSync(project, path.join(home, "link"));
    const sha = createHash("sha1").update(`${project}/Pulumi.yaml`).digest("hex");
    const note = path.join(home, "workspaces", `spark-vllm-${sha}-workspace.json`);
    writeFileSync(note, '{ "stack": "organization/spark-vllm/lab" }');
});
afterAll(() => {
    rmSync(home, { recursive: true });
});

test.each([
    ["Pulumi's note", "project", {}, "organization/spark-vllm/lab"],
    ["the same through a link", "link", {}, "organization/spark-vllm/lab"],
    ["PULUMI_STACK first", "project", { PULUMI_STACK: "spark" }, "spark"],
    ["another project", "workspaces", {}, undefined],
])("%s", (_, folder, env, expected) => {
    const all = { PULUMI_HOME: home, ...env };
    expect(selectedStack(path.join(home, folder), "spark-vllm", all)).toBe(expected);
});

test.each([
    ["spark", "organization/spark-vllm/spark"],
    ["acme/spark", "acme/spark-vllm/spark"],
    ["acme/spark-vllm/spark", "acme/spark-vllm/spark"],
])("%s is owned by %s", (text, owner) => {
    expect(stackName(text, "spark-vllm")).toEqual({ stack: "spark", owner });
});
