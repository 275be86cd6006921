import { describeChanges } from "../../components/plan/describeChanges";
import type { RankSummary } from "../../components/plan/rankSummary";

const head: RankSummary = {
    node: "spark-1",
    rank: 0,
    image: "m:local-1",
    command: ["vllm", "serve", "org/m", "--max-num-seqs", "2", "--port=8000", "--enable-x"],
    env: { A: "1" },
    mounts: ["/mnt/nas -> /mnt/nas"],
};
const worker: RankSummary = { ...head, node: "spark-2", rank: 1 };
const changed = (change: Partial<RankSummary>) =>
    describeChanges(
        [head, worker],
        [
            { ...head, ...change },
            { ...worker, ...change },
        ],
    );

test("the same plan: nothing", () => {
    expect(changed({})).toEqual([]);
});

test.each<[string, Partial<RankSummary>, string[]]>([
    [
        "an argument",
        { command: ["vllm", "serve", "org/m", "--max-num-seqs", "4", "--port=8000", "--enable-x"] },
        ["--max-num-seqs: 2 -> 4 (all ranks)"],
    ],
    [
        "a switch and a value after =",
        { command: ["vllm", "serve", "org/m", "--max-num-seqs", "2", "--port=8001"] },
        ["--port: 8000 -> 8001 (all ranks)", "--enable-x: on -> (none) (all ranks)"],
    ],
    [
        "the model",
        { command: ["vllm", "serve", "org/n", "--max-num-seqs", "2", "--port=8000", "--enable-x"] },
        ["command: vllm serve org/m -> vllm serve org/n (all ranks)"],
    ],
    [
        "a variable",
        { env: { A: "2", B: "3" } },
        ["A: 1 -> 2 (all ranks)", "B: (none) -> 3 (all ranks)"],
    ],
    [
        "a mount",
        { mounts: ["/mnt/nas -> /mnt/nas (read-only)"] },
        [
            "mount /mnt/nas -> /mnt/nas: present -> (none) (all ranks)",
            "mount /mnt/nas -> /mnt/nas (read-only): (none) -> present (all ranks)",
        ],
    ],
    ["an API key, never shown", { apiKey: true }, ["API key: (none) -> [secret] (all ranks)"]],
    [
        "what only the container shows",
        { host: "nvidia@10.0.0.3", shmMegabytes: 64, fabric: "10.0.0.1 on e1 (r1, MTU 9000)" },
        [
            "host: (none) -> nvidia@10.0.0.3 (all ranks)",
            "fabric: (none) -> 10.0.0.1 on e1 (r1, MTU 9000) (all ranks)",
            "shm_size: (none) -> 64 MiB (all ranks)",
        ],
    ],
    ["the image", { image: "m:local-2" }, ["image: m:local-1 -> m:local-2 (all ranks)"]],
])("%s", (_, change, lines) => {
    expect(changed(change)).toEqual(lines);
});

test("nodes in another order", () => {
    const swapped = [
        { ...worker, rank: 0 },
        { ...head, rank: 1 },
    ];
    expect(describeChanges([head, worker], swapped)).toEqual([
        "node: spark-1 -> spark-2 (rank 0)",
        "node: spark-2 -> spark-1 (rank 1)",
    ]);
});

test("one rank fewer", () => {
    expect(describeChanges([head, worker], [head])[0]).toBe("node: spark-2 -> (none) (rank 1)");
});
