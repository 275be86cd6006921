import {
    cpSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { registerPlan } from "../../cli/plan";
import type { StackPlan } from "../../components/plan";
import { runCommand } from "./runCommand";

const root = path.join(__dirname, "../..");
const stacks = path.join(__dirname, "../fixtures/stacks");
let project: string;

beforeAll(() => {
    project = mkdtempSync(path.join(tmpdir(), "spark-plan-"));
    writeFileSync(path.join(project, "Pulumi.yaml"), "name: spark-vllm\n");
    cpSync(path.join(root, "Pulumi.spark.yaml"), path.join(project, "Pulumi.spark.yaml"));
    cpSync(stacks, project, { recursive: true });
    for (const folder of ["recipes", "docker-images"]) {
        symlinkSync(path.join(root, folder), path.join(project, folder));
    }
    mkdirSync(path.join(project, "below"));
});
afterAll(() => {
    rmSync(project, { recursive: true });
});

const plan = (...args: string[]) => runCommand(registerPlan, project, ["plan", ...args]);

test("--json prints the plan of the example stack, from a folder below the project too", async () => {
    const { out, code } = await plan("--stack", "spark", "--json");
    const found = JSON.parse(out) as StackPlan;
    const golden = path.join(root, "tests/fixtures/plan/dsv4-flash-vision.json");
    const expected = JSON.parse(readFileSync(golden, "utf8")) as StackPlan;
    expect(code).toBe(0);
    // The image's content and the recipe parser's warnings are tested where they are made.
    const parts = ({ nodes }: StackPlan) =>
        nodes.map(({ rank: { labels: _labels, ...rank }, ...node }) => ({ ...node, rank }));
    expect(parts(found)).toEqual(parts(expected));
    expect({ ...found, image: 0, nodes: 0, group: 0, warnings: 0 }).toEqual({
        ...expected,
        ...{ image: 0, nodes: 0, group: 0, warnings: 0 },
    });
    const below = await runCommand(registerPlan, path.join(project, "below"), [
        ...["plan", "--stack", "organization/spark-vllm/spark", "--json"],
    ]);
    expect(below).toEqual({ out, err: expect.any(String) as string, code: 0 });
});

test("the page names model, nodes and each rank's command", async () => {
    const { out, code } = await plan("--stack", "spark");
    expect(code).toBe(0);
    const lines = out.split("\n").map((line) => line.trim());
    expect(lines).toEqual(
        expect.arrayContaining([
            "model     deepseek-ai/DeepSeek-V4-Flash-Vision-Exp at 86f746b36186f0e567729a5c06a8c918caba82a9, served as deepseek-v4-flash-vision",
            "endpoint  http://127.0.0.1:8000/v1",
            "rank 1 on spark-2",
            `--limit-mm-per-prompt '{"image":8}'`,
            "NCCL_IB_HCA==rocep1s0f1",
            "/home/nvidia/.cache/dsv4vision-jit/vllm -> /root/.cache/vllm (cache)",
        ]),
    );
    expect(lines.filter((line) => line === "--headless")).toHaveLength(1);
});

test.each(["broken", "apart", "noyaml", "list", "bare"])(
    "stack %s: every problem, exit 1",
    async (name) => {
        const { out, err, code } = await plan("--stack", name);
        const golden = path.join(stacks, `${name}.txt`);
        if (process.env["UPDATE_GOLDEN"]) writeFileSync(golden, err);
        expect({ out, code }).toEqual({ out: "", code: 1 });
        expect(err).toBe(readFileSync(golden, "utf8"));
    },
);

test("no secret of the file is shown, in JSON neither", async () => {
    const { out, code } = await plan("--stack", "broken", "--json");
    const { issues } = JSON.parse(out) as { issues: readonly Record<string, unknown>[] };
    expect(code).toBe(1);
    expect(out).not.toContain("hf_in_plain_text");
    expect(issues[0]).toEqual({
        ...{ code: "bad-config", severity: "error", path: "recipe" },
        file: "Pulumi.broken.yaml",
        message: "missing; expected the name of a folder under recipes/ or a path",
        fix: "pulumi config set recipe dsv4-flash-vision",
    });
});

test("a stack without a file: the others are named", async () => {
    expect(await plan("--stack", "spak")).toEqual({
        out: "",
        code: 1,
        err: [
            "Pulumi.spak.yaml  there is no such file",
            "    expected the configuration of one of the stacks: apart, bare, broken, list, noyaml, spark",
            "1 problem. Nothing was changed.\n",
        ].join("\n"),
    });
});

test("--recipe: another recipe than the stack's, nearest name offered", async () => {
    const { out, code } = await plan("--stack", "spark", "--recipe", "dsv4-flash-visio", "--json");
    const { issues } = JSON.parse(out) as { issues: readonly Record<string, unknown>[] };
    expect(code).toBe(1);
    expect(issues.map(({ path: where, fix }) => [where, fix])).toEqual([
        ["recipe", "did you mean dsv4-flash-vision?"],
    ]);
});
