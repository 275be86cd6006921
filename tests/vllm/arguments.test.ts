import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { checkArguments } from "../../components/host/argumentCheck";
import type { StackPlan } from "../../components/plan";
import { labConfig, root } from "../engine/lab";
import { inImage, version, vllmImage } from "./inImage";

// What is handed to the seed recipe's ranks, in the hands of stock vLLM: its parser, its variables, its flag table.
jest.setTimeout(600_000);

let plan: StackPlan;
const document = readFileSync(path.join(root, "docs/engine-arguments.md"), "utf8");

beforeAll(async () => {
    process.chdir(root);
    const args = ["scripts/spark.js", "plan", "--stack", "spark", "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    plan = JSON.parse(stdout) as StackPlan;
});

test("the parser takes every rank's arguments as our plan renders them", async () => {
    const config = labConfig();
    const ssh = (host: string) => ({ destination: host, config: config["sshConfig"] as string });
    const hosts = ["spark-1", "spark-2"];
    const nodes = plan.nodes.map(({ name, rank }, index) => ({
        name,
        ssh: ssh(hosts[index] ?? ""),
        rank: { ...rank, env: {} },
    }));
    const { platform } = config["image"] as { platform: string };
    const ranks = await checkArguments({
        groupId: "test",
        image: { tag: vllmImage, platform },
        nodes,
    });
    expect(ranks.map(({ rank, verdict }) => [rank, verdict])).toEqual([
        [0, { kind: "accepted" }],
        [1, { kind: "accepted" }],
    ]);
});

test("what stock vLLM does not know of the seed is this list, and the documentation explains it", async () => {
    const program = readFileSync(path.join(__dirname, "known.py"), "utf8");
    const argv = [...new Set(plan.nodes.flatMap(({ rank }) => [rank.command]))];
    const known = await Promise.all(
        argv.map(async (command) => {
            const given = {
                argv: command.slice(3),
                env: Object.keys(plan.nodes[0]?.rank.env ?? {}),
            };
            const printed = await inImage(program, JSON.stringify(given));
            return JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "") as unknown;
        }),
    );
    const list = {
        unknown: [],
        refused: [],
        abbreviated: ["--kv-cache-memory"],
        backends: ["B12X_MLA_SPARSE"],
        variables: [
            "VLLM_MEMORY_PROFILE_INCLUDE_ATTN",
            "VLLM_USE_B12X_WO_PROJECTION",
            "VLLM_USE_B12X_MHC",
            "VLLM_USE_B12X_FP8_GEMM",
            "VLLM_USE_B12X_MOE",
            "VLLM_USE_B12X_SPARSE_INDEXER",
        ],
    };
    expect(known).toEqual([list, list]);
    for (const name of [...list.abbreviated, ...list.backends, ...list.variables]) {
        expect(document).toContain(`\`${name}\``);
    }
});

test("the flag table is what this vLLM's own parser gives", async () => {
    const program = readFileSync(path.join(root, "scripts/flags.py"), "utf8");
    const table = path.join(root, `components/recipe/flags/vllm-${version()}.json`);
    expect(await inImage(program, "")).toBe(readFileSync(table, "utf8"));
});
