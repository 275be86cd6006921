import * as net from "node:net";

import { type Bench, sleep, withBench } from "./ranks";

const dead = {
    error: {
        message: "EngineCore encountered an issue. See stack trace (above) for the root cause.",
        type: "InternalServerError",
        param: null,
        code: 500,
    },
};

const complete = (bench: Bench, tokens = 4) =>
    bench.post("/v1/completions", { prompt: "hello", max_tokens: tokens });

test.concurrent(
    "a killed worker shows only in the next completion; the head then ends with code 0",
    () =>
        withBench(async (bench) => {
            const [head, worker] = await bench.serving();
            worker?.signal("SIGKILL");
            await worker?.exit();
            expect((await bench.get("/health")).status).toBe(200);
            expect((await bench.get("/v1/models")).status).toBe(200);
            const answer = await complete(bench);
            expect([answer.status, await answer.json()]).toEqual([500, dead]);
            const asked = Date.now();
            expect(await head.exit()).toBe(0);
            expect(Date.now() - asked).toBeLessThan(2000);
            expect(head.output).toContain("Connection closed by peer [127.0.0.1");
        }),
    60_000,
);

test.concurrent(
    "a paused worker makes a completion hang until the engine's time limit",
    () =>
        withBench(async (bench) => {
            const env = { VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS: "1" };
            const [head, worker] = await bench.serving(2, { env });
            worker?.signal("SIGSTOP");
            const asked = Date.now();
            const answer = await complete(bench);
            expect(Date.now() - asked).toBeGreaterThan(950);
            expect([answer.status, await answer.json()]).toEqual([500, dead]);
            expect(await head.exit()).toBe(0);
            expect(head.output).toContain("TimeoutError: RPC call to execute_model timed out.");
        }),
    60_000,
);

test.concurrent(
    "a worker outlives its head in silence, and no new head gets it back",
    () =>
        withBench(async (bench) => {
            const [head, worker] = await bench.serving();
            const said = worker?.output;
            head.signal("SIGKILL");
            await head.exit();
            const next = bench.start(0);
            await next.until("distributed_init_method=");
            const before = next.output;
            await sleep(700);
            expect(next.output).toBe(before);
            expect(worker?.output).toBe(said);
            expect(worker?.running).toBe(true);
        }),
    60_000,
);

test.concurrent(
    "SIGTERM: head at once, worker after its grace, both with code 0",
    () =>
        withBench(async (bench) => {
            const [head, worker] = await bench.serving();
            const sent = Date.now();
            head.signal("SIGTERM");
            worker?.signal("SIGTERM");
            expect(await head.exit()).toBe(0);
            expect(Date.now() - sent).toBeLessThan(2500);
            expect(await worker?.exit()).toBe(0);
            expect(Date.now() - sent).toBeGreaterThan(2900);
        }),
    60_000,
);

test.concurrent(
    "SIGTERM: a waiting head takes its time and ends with code 1",
    () =>
        withBench(async (bench) => {
            const head = bench.start(0);
            await head.until("distributed_init_method=");
            const sent = Date.now();
            head.signal("SIGTERM");
            expect(await head.exit()).toBe(1);
            expect(Date.now() - sent).toBeGreaterThan(2900);
        }),
    60_000,
);

test.concurrent(
    "a worker that ends during the boot ends the head with code 1",
    () =>
        withBench(async (bench) => {
            bench.order("rank=1 exit 9 at kv");
            const [head, worker] = [bench.start(0), bench.start(1)];
            expect(await worker.exit()).toBe(9);
            expect(await head.exit()).toBe(1);
            expect(head.output).toContain("NCCL error: remote process exited");
        }),
    60_000,
);

test.concurrent(
    "a listener on the port ends the head before its engine starts",
    () =>
        withBench(async (bench) => {
            const listener = net.createServer().listen(bench.port, "127.0.0.1");
            try {
                const head = bench.start(0);
                expect(await head.exit()).toBe(1);
                expect(head.lastLine()).toContain("OSError: [Errno 98] Address already in use");
                expect(head.output).not.toContain("Initializing a V1 LLM engine");
            } finally {
                listener.close();
            }
        }),
    60_000,
);

test.concurrent(
    "a follower without --headless ends, and --headless on rank 0 waits for ever",
    () =>
        withBench(async (bench) => {
            const odd = bench.start(0, { args: ["--headless"] });
            const follower = bench.start(0, { args: ["--node-rank", "1"] });
            expect(await follower.exit()).toBe(1);
            expect(follower.output).toContain(
                "collective_rpc should not be called on follower node",
            );
            await odd.until("Launching 1 data parallel engine(s) in headless mode");
            expect(odd.running).toBe(true);
        }),
    60_000,
);
