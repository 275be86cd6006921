import { compareFigures } from "../../components/host/bootFigures";
import { launchResult } from "../../components/host/launchResult";
import type { ObservedNode } from "../../components/host/launchState";
import type { Boot, NodePlan } from "../../components/plan";

const nodes = [{ name: "a" }, { name: "b" }] as unknown as readonly NodePlan[];
const expected = { weightsGib: 84, kvCacheTokens: 1_250_741, tolerance: 0.05 };
const boot: Boot = {
    recipe: "m",
    ranks: 2,
    seconds: 500,
    cold: false,
    weightsGib: 84,
    kvCacheTokens: 1_250_304,
};
const figures = (gib: number | null, kvCacheTokens: number | null) => ({
    weightsGib: [{ node: "a", gib }],
    kvCacheTokens,
});

test.each([
    ["as the image's notes say", figures(84.02, 1_250_304), { expected }, []],
    ["what the engine did not say", figures(null, null), { expected }, []],
    [
        "beyond the notes' own tolerance",
        figures(90, 1_100_000),
        { expected },
        [
            "a: weights of 90.0 GiB, 7 % more than the image's smoke.toml says (84.0 GiB)",
            "KV cache tokens: 1,100,000, 12 % less than the image's smoke.toml says (1,250,741)",
            "KV cache tokens: 1,100,000, 12 % less than at the last start (1,250,304)",
        ],
    ],
    ["7 % off without notes", figures(90, 1_180_000), {}, []],
    [
        "over 10 % off the last start",
        figures(96, 1_100_000),
        {},
        [
            "a: weights of 96.0 GiB, 14 % more than at the last start (84.0 GiB)",
            "KV cache tokens: 1,100,000, 12 % less than at the last start (1,250,304)",
        ],
    ],
])("%s", (_, seen, notes, warnings) => {
    expect(compareFigures(seen, { recipe: "m", nodes, ...notes }, [boot])).toEqual(warnings);
});

test("another recipe's start, or one on more nodes, is no measure", () => {
    const plan = { recipe: "m", nodes };
    const others = [
        { ...boot, recipe: "n" },
        { ...boot, ranks: 4 },
    ];
    expect(compareFigures(figures(10, 10), plan, others)).toEqual([]);
});

const observed = (node: string, record: object): ObservedNode =>
    ({
        node,
        now: "",
        record: { launch: "x", stoppedAt: "", ranks: null, ...record },
        containers: [{ name: `m-${node}` }],
    }) as unknown as ObservedNode;
const served = {
    seconds: 520,
    ranks: [
        { node: "a", rank: 0, weightsGib: 84.02, lowestAvailableGib: 20 },
        { node: "b", rank: 1, weightsGib: 84.5, lowestAvailableGib: null },
    ],
    kvCacheTokens: 1_250_304,
};

test("a launch's result: figures of each rank, this start before the earlier ones", () => {
    const started = [observed("a", { boots: [boot], cold: false }), observed("b", { cold: true })];
    expect(launchResult({ recipe: "m", nodes }, started, served)).toEqual({
        bootSeconds: 520,
        kvCacheTokens: 1_250_304,
        ranks: [
            { node: "a", container: "m-a", weightsGib: 84.02, lowestAvailableGib: 20 },
            { node: "b", container: "m-b", weightsGib: 84.5, lowestAvailableGib: null },
        ],
        warnings: [],
        boots: [{ ...boot, seconds: 520, cold: true, weightsGib: 84.5 }, boot],
    });
});

test("five starts are remembered; a node new to the group remembers none", () => {
    const many = Array.from({ length: 5 }, (_, n) => ({ ...boot, seconds: n }));
    const { boots } = launchResult(
        { recipe: "m", nodes },
        [observed("a", {}), observed("b", { boots: many })],
        served,
    );
    expect(boots.map(({ seconds, cold }) => [seconds, cold])).toEqual([
        [520, null],
        [0, false],
        [1, false],
        [2, false],
        [3, false],
    ]);
});
