import { type Bench, sleep, withBench } from "./ranks";

const complete = (bench: Bench) =>
    bench.post("/v1/completions", { prompt: "hello", max_tokens: 4 });

test.concurrent.each(["start", "args", "rendezvous", "load", "kv", "ready", "serving"])(
    "exit at %s",
    (stage) =>
        withBench(async (bench) => {
            bench.order("# the head alone", `rank=0 exit 7 at ${stage}`);
            const [head, worker] = [bench.start(0), bench.start(1)];
            expect(await head.exit()).toBe(7);
            expect(head.lastLine()).toBe(`RuntimeError: fault order: rank=0 exit 7 at ${stage}`);
            expect(worker.running).toBe(true);
        }),
    60_000,
);

test.concurrent(
    "exit after seconds",
    () =>
        withBench(async (bench) => {
            bench.order("exit 4 after 0.5");
            const head = bench.start(0);
            expect(await head.exit()).toBe(4);
        }),
    60_000,
);

test.concurrent(
    "once: only the first start fails",
    () =>
        withBench(async (bench) => {
            bench.order("exit 7 at load once");
            expect(await bench.start(0, { nodes: 1 }).exit()).toBe(7);
            await bench.serving(1);
            expect((await complete(bench)).status).toBe(200);
        }),
    60_000,
);

test.concurrent(
    "hang lasts as long as the order stands",
    () =>
        withBench(async (bench) => {
            bench.order("hang at load");
            const head = bench.start(0, { nodes: 1 });
            await head.until("Starting to load model");
            await sleep(800);
            expect(head.output).not.toContain("Loading weights took");
            bench.order();
            await head.until("Application startup complete.");
        }),
    60_000,
);

test.concurrent(
    "health-only, completion-500, and back",
    () =>
        withBench(async (bench) => {
            await bench.serving();
            bench.order("health-only");
            await sleep(400);
            expect((await bench.get("/v1/models")).status).toBe(200);
            const hanging = complete(bench);
            const first = await Promise.race([
                hanging.then(() => "answered"),
                sleep(500).then(() => "hangs"),
            ]);
            expect(first).toBe("hangs");
            bench.order("rank=0 completion-500");
            expect((await hanging).status).toBe(500);
            bench.order();
            await sleep(400);
            expect((await complete(bench)).status).toBe(200);
        }),
    60_000,
);

test.concurrent(
    "a worker that hangs while serving makes completions hang",
    () =>
        withBench(async (bench) => {
            const env = { VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS: "1" };
            const [head] = await bench.serving(2, { env });
            bench.order("rank=1 hang at serving");
            await sleep(400);
            expect((await complete(bench)).status).toBe(500);
            expect(await head.exit()).toBe(0);
        }),
    60_000,
);

test.concurrent(
    "slow-boot and silent",
    () =>
        withBench(async (bench) => {
            bench.order("slow-boot 1.5", "silent");
            const [head] = await bench.serving(1, { env: { STANDIN_BOOT_SECONDS: "0" } });
            expect(head.output).not.toContain("checkpoint shards");
            const took = /Model loading took \S+ GiB memory and (\S+) seconds/.exec(
                head.output,
            )?.[1];
            expect(Number(took)).toBeGreaterThan(0.85);
        }),
    60_000,
);

test.concurrent(
    "print puts a line among the others, once",
    () =>
        withBench(async (bench) => {
            const line = "spark-2:1:1 [0] NCCL WARN Call to ibv_reg_mr failed";
            bench.order(`print ${line} at kv`);
            const [head] = await bench.serving(1);
            const before = head.output.split(`${line}\n`)[0];
            expect(before).toContain("Model loading took");
            expect(before).not.toContain("GPU KV cache size");
            expect(head.output.split(line)).toHaveLength(2);
        }),
    60_000,
);

test.concurrent(
    "slow-term",
    () =>
        withBench(async (bench) => {
            const [head] = await bench.serving(1);
            bench.order("slow-term 1.5");
            await sleep(400);
            const sent = Date.now();
            head.signal("SIGTERM");
            expect(await head.exit()).toBe(0);
            expect(Date.now() - sent).toBeGreaterThan(1450);
        }),
    60_000,
);

test.concurrent(
    "oom ends as the kernel would",
    () =>
        withBench(async (bench) => {
            bench.order("oom at load");
            expect(await bench.start(0, { nodes: 1 }).exit()).toBe(137);
        }),
    60_000,
);

test.concurrent(
    "an order that cannot be read is said and ignored",
    () =>
        withBench(async (bench) => {
            bench.order("explode at load");
            const [head] = await bench.serving(1);
            expect(head.output).toContain("stand-in: unreadable fault order: explode at load");
        }),
    60_000,
);
