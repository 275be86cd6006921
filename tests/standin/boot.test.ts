import * as fs from "node:fs";
import * as path from "node:path";

import { parseMarker } from "../../components/host/markers";

import { commit } from "./hub";
import { sleep, withBench } from "./ranks";

const seedSizes = ["--kv-cache-memory", "12884901888", "--block-size", "256"];

/** Stages in the order of their first marker, with the last figure. */
function stages(output: string): readonly (readonly [string, number | undefined])[] {
    const seen = new Map<string, number | undefined>();
    for (const line of output.split("\n")) {
        const marker = parseMarker(line);
        if (marker !== undefined) seen.set(marker.stage, marker.figure);
    }
    return [...seen];
}

test.concurrent(
    "a pair boots with the engine's markers in order, and serves",
    () =>
        withBench(async (bench) => {
            const env = { VLLM_PLUGINS: "dsv4_vision" };
            const [head, worker] = await bench.serving(2, { args: seedSizes, env });
            expect(stages(head.standardOutput)).toEqual([
                ["plugin", undefined],
                ["model", 84.02],
                ["kv-cache", 1250304],
                ["started", undefined],
            ]);
            expect(stages(head.output)).toContainEqual(["weights", 100]);
            expect(stages(head.output)).toContainEqual(["graphs", 100]);
            // Only rank 0 shows progress, as measured: a worker that loads is silent.
            await worker?.until("Graph capturing finished");
            expect(stages(worker?.output ?? "").map(([stage]) => stage)).toEqual([
                "plugin",
                "model",
            ]);
            expect(head.output).toContain("100% Completed | 48/48");
            const models = (await (await bench.get("/v1/models")).json()) as { data: unknown[] };
            expect(models.data).toMatchObject([{ id: "lab", max_model_len: 1048576 }]);
            const answer = await bench.post("/v1/completions", {
                model: "lab",
                prompt: "one two",
                max_tokens: 5,
            });
            expect(await answer.json()).toMatchObject({
                choices: [
                    {
                        text: expect.stringMatching(/^ stand-in [0-9a-f]{8} read$/) as string,
                        finish_reason: "length",
                    },
                ],
                usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
            });
        }),
    60_000,
);

test.concurrent(
    "four ranks meet, whatever comes first",
    () =>
        withBench(async (bench) => {
            const late = [3, 1, 2].map((rank) => bench.start(rank, { nodes: 4 }));
            await sleep(300);
            const head = bench.start(0, { nodes: 4 });
            await head.until("Application startup complete.");
            for (const rank of late) expect(rank.output).toContain("in world size 4 is assigned");
            const answer = await bench.post("/v1/completions", { prompt: "hello" });
            expect(answer.status).toBe(200);
        }),
    60_000,
);

test.concurrent(
    "the API does not listen before all ranks joined, nor does a lone rank print more",
    () =>
        withBench(async (bench) => {
            const head = bench.start(0);
            await head.until(
                "world_size=2 rank=0 local_rank=0 distributed_init_method=tcp://127.0.0.1:",
            );
            const before = head.output;
            await sleep(500);
            expect(head.output).toBe(before);
            await expect(bench.get("/health")).rejects.toThrow("fetch failed");
        }),
    60_000,
);

test.concurrent(
    "a missing peer ends the head at the distributed time limit",
    () =>
        withBench(async (bench) => {
            const head = bench.start(0, { args: ["--distributed-timeout-seconds", "1"] });
            expect(await head.exit()).toBe(1);
            expect(head.output).toContain(
                "Timed out after 2 seconds waiting for clients. 1/2 clients joined.",
            );
            expect(head.lastLine()).toContain(
                "Engine core initialization failed. See root cause above.",
            );
        }),
    60_000,
);

test.concurrent(
    "a worker without a head gives up after two tries",
    () =>
        withBench(async (bench) => {
            const worker = bench.start(1, { args: ["--distributed-timeout-seconds", "1"] });
            expect(await worker.exit()).toBe(1);
            expect(
                worker.output.match(/TCP client failed to connect\/validate to host/g),
            ).toHaveLength(2);
            expect(worker.lastLine()).toContain("DistNetworkError");
        }),
    60_000,
);

test.concurrent.each([
    ["--revision names a commit that is not there", ["--revision", "0".repeat(40)], ""],
    ["refs/main ends in a newline", [], `${commit}\n`],
])(
    "weights are not found when %s",
    (_, args, main) =>
        withBench(async (bench) => {
            if (main !== "") fs.writeFileSync(path.join(bench.modelFolder, "refs", "main"), main);
            const head = bench.start(0, { args });
            expect(await head.exit()).toBe(1);
            expect(head.lastLine()).toContain(
                "LocalEntryNotFoundError: Cannot find an appropriate cached snapshot",
            );
        }),
    60_000,
);

test.concurrent(
    "--revision does without refs/main",
    () =>
        withBench(async (bench) => {
            fs.rmSync(path.join(bench.modelFolder, "refs"), { recursive: true });
            await bench.serving(1, { args: ["--revision", commit] });
            expect((await bench.get("/health")).status).toBe(200);
        }),
    60_000,
);

// What does not depend on the model is in tests/vllm/ends.ts.
test.concurrent.each([
    [
        "a draft length that the model refuses",
        ["-sc", '{"method":"dspark","num_speculative_tokens":5}'],
        "num_speculative_tokens:5 must be divisible by n_predict=3",
    ],
])(
    "%s: code 1",
    (_, args, words) =>
        withBench(async (bench) => {
            const head = bench.start(0, { args });
            expect(await head.exit()).toBe(1);
            expect(head.lastLine()).toContain(words);
        }),
    60_000,
);

test.concurrent(
    "a KV cache smaller than one request ends the boot",
    () =>
        withBench(async (bench) => {
            const head = bench.start(0, { nodes: 1, args: ["--kv-cache-memory", "1G"] });
            expect(await head.exit()).toBe(1);
            expect(head.output).toContain(
                "To serve at least one request with the models's max seq len (1048576)",
            );
        }),
    60_000,
);
