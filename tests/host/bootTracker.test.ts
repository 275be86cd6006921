import { BootTracker } from "../../components/host/bootTracker";

const ranks = [
    { node: "a", rank: 0 },
    { node: "b", rank: 1 },
];
const gib = 2 ** 20;
const shard = (percent: number) =>
    `Loading safetensors checkpoint shards: ${String(percent)}% Completed | 1/48 [00:01<00:02]`;
const loaded = "Model loading took 84.02 GiB memory and 401.5 seconds";

let tracker: BootTracker;
beforeEach(() => {
    tracker = new BootTracker(ranks, 0);
});

test("figures of both ranks, and of the group", () => {
    tracker.memory("a", 40 * gib);
    tracker.memory("a", 21.5 * gib);
    tracker.line("a", loaded, 1);
    tracker.line("b", "Model loading took 83.9 GiB memory and 400 seconds", 1);
    tracker.line("a", "GPU KV cache size: 1,250,304 tokens", 2);
    expect(tracker.figures()).toEqual([
        { node: "a", rank: 0, weightsGib: 84.02, lowestAvailableGib: 21.5 },
        { node: "b", rank: 1, weightsGib: 83.9, lowestAvailableGib: null },
    ]);
    expect(tracker.kvCacheTokens).toBe(1250304);
});

test("little memory ends the group while weights load, and not after", () => {
    expect(tracker.memory("a", 4 * gib)).toBe(false);
    expect(tracker.memory("a", 4 * gib - 1)).toBe(true);
    tracker.line("a", loaded, 1);
    expect(tracker.memory("a", 1)).toBe(false);
    expect(tracker.memory("b", 1)).toBe(true);
});

test("a node that does not tell its memory stops nothing", () => {
    expect(tracker.memory("a", Number.NaN)).toBe(false);
});

describe("silence", () => {
    test("is told once for each span of it", () => {
        expect(tracker.stalled(10, 9_999)).toBeUndefined();
        expect(tracker.stalled(10, 10_000)).toBe(10);
        expect(tracker.stalled(10, 11_000)).toBeUndefined();
        expect(tracker.stalled(10, 20_000)).toBe(20);
    });

    test("ends with any rank's news", () => {
        tracker.line("b", "Using max model len 4096", 8_000);
        expect(tracker.stalled(10, 12_000)).toBeUndefined();
        expect(tracker.stalled(10, 18_000)).toBe(10);
    });

    test("is not ended by a line that only repeats itself", () => {
        const wait = (n: number) =>
            `INFO 12-02 05:0${String(n)}:00 No available shared memory broadcast block found in 60 seconds`;
        tracker.line("a", wait(1), 1_000);
        tracker.line("a", wait(2), 9_000);
        expect(tracker.stalled(10, 11_000)).toBe(10);
    });

    test("is ended by a percentage that grows", () => {
        tracker.line("a", shard(10), 1_000);
        tracker.line("a", shard(12), 9_000);
        expect(tracker.stalled(10, 11_000)).toBeUndefined();
    });
});

test("a fatal line is one only at its time", () => {
    const line = "torch.OutOfMemoryError: CUDA out of memory";
    expect(tracker.line("a", line, 1)).toEqual({ fatal: true });
    tracker.line("a", loaded, 2);
    expect(tracker.line("a", line, 3)).toEqual({});
});

test("an end comes with the last 30 lines and what a far earlier one explains", () => {
    tracker.line("b", "RuntimeError: No CUDA GPUs are available", 1);
    for (let n = 1; n <= 40; n += 1) tracker.line("b", `trace ${String(n)}`, 2);
    const end = tracker.end("b", { kind: "exited", exitCode: 1, oomKilled: false });
    expect(end).toMatchObject({ node: "b", rank: 1 });
    expect(end.lastLines).toHaveLength(30);
    expect([end.lastLines[0], end.lastLines[29]]).toEqual(["trace 11", "trace 40"]);
    expect(end.advice).toContain("nvidia-smi");
});

test("of a progress bar only the last state is kept", () => {
    for (const percent of [10, 20, 30]) tracker.line("a", shard(percent), 1);
    tracker.line("a", "RuntimeError", 2);
    const end = tracker.end("a", { kind: "exited", exitCode: 1, oomKilled: false });
    expect(end.lastLines).toEqual([shard(30), "RuntimeError"]);
});
