import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { parseMarker } from "../../components/host/markers";
import { labNodes, onNode, root, seenRanks } from "../engine/lab";
import { runLaunch } from "../engine/launchStep";
import { sampleRanks } from "../engine/sampler";
import { editedRecipe, LabStack } from "../engine/stack";
import { ask, complete, textOf } from "./api";

// The life of a stack with the real engine: two ranks of vLLM's CPU build, tensor parallel over the nodes' fabric.
// Each test stands on the one before it. A boot takes half a minute on two free cores, minutes on busy ones.
jest.setTimeout(900_000);

let lab: LabStack;
let folder: string;
let words: string;
const measured: string[] = [];

const [, worker = ""] = labNodes();
const ids = async () => (await seenRanks()).map(({ id }) => id);
const states = async () => (await seenRanks()).map(({ state }) => state);

/** The recipe with one text replaced, as the stack's. */
const edit = (from: string, to: string) =>
    lab.configure({ recipe: editedRecipe(folder, from, to, "tiny-cpu") });

/** Seconds that something takes, for the report at the end. */
async function timed<T>(what: string, during: () => Promise<T>): Promise<T> {
    const started = Date.now();
    const result = await during();
    measured.push(`${what} ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return result;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + 60_000;
    while (!(await condition())) {
        if (Date.now() > end) throw new Error("this did not come about within 60 s");
    }
}

/** GiB that all processes of the ranks take, shared pages counted once. */
async function memoryOfRanks(): Promise<number> {
    const pss =
        "cat $(docker top RANK -o pid | sed 1d | sed 's|.*|/proc/&/smaps_rollup|') | awk '/^Pss:/ {n += $2} END {print n}'";
    const kib = await Promise.all(
        (await seenRanks()).map(async ({ node, id }) =>
            Number(await onNode(node, pss.replace("RANK", id))),
        ),
    );
    return kib.reduce((sum, each) => sum + each, 0) / 2 ** 20;
}

beforeAll(async () => {
    process.chdir(root);
    folder = mkdtempSync(path.join(tmpdir(), "spark-vllm-"));
    lab = await LabStack.create("lab-vllm-life");
});

afterAll(async () => {
    await lab.remove();
    rmSync(folder, { recursive: true });
    process.stderr.write(`vllm: ${measured.join(", ")}\n`);
});

test("up: the group serves, and its log is understood", async () => {
    await timed("up", () => lab.up());
    const { bootSeconds, kvCacheTokens, modelRevision } = await lab.outputs();
    measured.push(`boot ${String(bootSeconds)} s`);
    // 64 MiB by 2 layers, 2 heads of 32 numbers of 2 bytes, twice; the ranks share the heads.
    expect(kvCacheTokens).toBe(262144);
    expect(modelRevision).toMatch(/^[0-9a-f]{40}$/);
    expect(lab.output).toContain("KV cache 262,144 tokens");
    expect(lab.output).toContain("API started");
});

test("the boot markers are the stand-in's, less those that only a GPU build prints", async () => {
    const stages = await Promise.all(
        (await seenRanks()).map(async ({ node, id }) => {
            const lines = (await onNode(node, `docker logs ${id} 2>&1`)).split(/[\r\n]+/);
            const found = lines.flatMap((line) => parseMarker(line)?.stage ?? []);
            return [...new Set(found)].toSorted();
        }),
    );
    // No plugin, no model, no graphs. A worker says nothing of its progress, on a GPU neither.
    expect(stages).toEqual([["kv-cache", "started", "weights"], []]);
});

test("the tensor parallel traffic crosses the nodes", async () => {
    const log = await onNode(worker, `docker logs ${(await ids())[1] ?? ""} 2>&1`);
    expect(log).toContain(
        "ranks do not share the same SHM group name, falling back to torch.distributed",
    );
    expect(log).toContain("TP rank 1");
    const memory = await memoryOfRanks();
    measured.push(`memory of both ranks ${memory.toFixed(1)} GiB`);
    expect(memory).toBeLessThan(10);
});

test("completions: the same words for the same prompt, streamed, and chat", async () => {
    const one = await timed("first token", () => complete(1));
    expect(one.status).toBe(200);
    words = textOf(await complete());
    expect(textOf(await complete())).toBe(words);
    const body = {
        model: "tiny-cpu",
        prompt: "Hello",
        max_tokens: 8,
        temperature: 0,
        stream: true,
    };
    const events = (await ask("/v1/completions", body)).body
        .split("\n")
        .filter((line) => line.startsWith("data: {"))
        .map((line) => JSON.parse(line.slice("data: ".length)) as { choices: { text: string }[] });
    expect(events.length).toBeGreaterThan(1);
    expect(events.map(({ choices }) => choices[0]?.text ?? "").join("")).toBe(words);
    const messages = [{ role: "user", content: "Hello" }];
    const chat = await ask("/v1/chat/completions", { model: "tiny-cpu", messages, max_tokens: 4 });
    expect(JSON.parse(chat.body)).toMatchObject({
        model: "tiny-cpu",
        choices: [{ message: { role: "assistant" } }],
        usage: { completion_tokens: 4 },
    });
});

test("up again changes nothing, with refresh too", async () => {
    expect(await lab.up()).toEqual({});
    expect(await lab.up({ refresh: true })).toEqual({});
});

test("what vLLM's own parser refuses ends before anything stops", async () => {
    const running = await ids();
    await edit('"--max-num-seqs", "2"', '"--max-num-seqs", "2", "--no-such-flag", "1"');
    const output = await timed("refusal of an argument", () => lab.failing(() => lab.up()));
    expect(output).toContain("| vllm: error: unrecognized arguments: --no-such-flag 1");
    expect(output).toContain("what served before still serves");
    expect(await ids()).toEqual(running);
    expect(textOf(await complete())).toBe(words);
});

test("broken JSON does not get as far", async () => {
    await edit('"--max-num-seqs", "2"', '"--max-num-seqs", "2", "-sc", \'{"method":\'');
    expect(await lab.failing(() => lab.preview())).toMatch(/recipe\.toml:\d+.*\(-sc\) is not JSON/);
    expect(await states()).toEqual(["running", "running"]);
});

test("a changed argument replaces both ranks, never old and new at once, and the group serves", async () => {
    const running = await ids();
    await edit('"--max-num-seqs", "2"', '"--max-num-seqs", "4"');
    const groups = await sampleRanks(async () => {
        expect(await lab.up()).toMatchObject({
            "spark-1-rank": "replace",
            "spark-2-rank": "replace",
        });
    });
    expect(groups.map(({ overlaps }) => overlaps)).toEqual([[], []]);
    expect((await ids()).filter((id) => running.includes(id))).toEqual([]);
    expect(textOf(await complete())).toBe(words);
});

test("a worker that stands still: the API looks healthy, a completion's own limit tells", async () => {
    const container = (await ids())[1] ?? "";
    await onNode(worker, `docker pause ${container}`);
    try {
        expect((await ask("/health")).status).toBe(200);
        expect((await ask("/v1/models")).status).toBe(200);
        const run = await runLaunch(await lab.plan(), { launch: { completionTimeoutSeconds: 5 } });
        expect(run.output).toMatch(/the ranks run, but no token comes .*no completion within 5 s/);
    } finally {
        await onNode(worker, `docker unpause ${container}`);
    }
    // The engine itself waits 300 s for its worker: here it only was late.
    expect((await complete()).status).toBe(200);
});

test("a worker that is killed: the next completion fails, the head ends with code 0; a refresh revives all", async () => {
    const before = await seenRanks();
    await onNode(worker, `docker kill ${before[1]?.id ?? ""}`);
    expect((await ask("/health")).status).toBe(200);
    const failed = await timed("failure of a completion without its worker", () => complete());
    expect(failed.status).toBe(500);
    await until(async () => (await states()).every((state) => state === "exited"));
    const code = `docker inspect -f '{{.State.ExitCode}}' ${before[0]?.id ?? ""}`;
    expect(await onNode(before[0]?.node ?? "", code)).toBe("0");
    await timed("recovery", () => lab.up({ refresh: true }));
    const after = await seenRanks();
    expect(after.map(({ state }) => state)).toEqual(["running", "running"]);
    for (const [index, { startedAt }] of after.entries()) {
        expect(startedAt > (before[index]?.startedAt ?? "")).toBe(true);
    }
    expect(textOf(await complete())).toBe(words);
});

/** What makes a group that boots and says it is healthy, but cannot make a token, on this CPU. */
function brokenFirstToken(): readonly [from: string, to: string] {
    // Nobody asks the kernel for the use of AMX, so its first instruction kills the worker.
    const amx = readFileSync("/proc/cpuinfo", "utf8").includes("amx_bf16");
    return amx
        ? ['"--dtype", "float16"', '"--dtype", "bfloat16"']
        : ["[env]", '[env]\nVLLM_EXECUTE_MODEL_TIMEOUT_SECONDS = "0"'];
}

test("a group that is healthy but makes no token is no service", async () => {
    await edit(...brokenFirstToken());
    const output = await lab.failing(() => lab.up());
    expect(output).toMatch(/rank \d exited with code|no token comes after/);
    expect(output).toContain("API started");
    expect(output).not.toContain("Nothing was changed");
    expect(await states()).not.toEqual(["running", "running"]);
});

test("a rank that is missing is told at once", async () => {
    const [, rank] = await seenRanks();
    await onNode(worker, `docker rm -f ${rank?.id ?? ""}`);
    const run = await runLaunch(await lab.plan());
    expect(run.output).toContain("the rank's container is gone from this node");
    expect(run.output).toContain("pulumi up --refresh");
});

test("destroy leaves no container", async () => {
    await lab.destroy();
    expect(await seenRanks()).toEqual([]);
});
