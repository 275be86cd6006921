import { readFileSync } from "node:fs";
import path from "node:path";

import type { StackPlan } from "../../components/plan";
import { describeReplacement } from "../../components/plan/describeReplacement";
import { summariseRanks } from "../../components/plan/rankSummary";

const golden = path.join(__dirname, "../fixtures/plan/dsv4-flash-vision.json");
const plan = JSON.parse(readFileSync(golden, "utf8")) as StackPlan;
const ranks = summariseRanks(plan);

test("nothing served yet, or this very group: nothing to say", () => {
    expect(describeReplacement(plan, { ranks: [], group: undefined, boots: [] })).toBeUndefined();
    expect(describeReplacement(plan, { ranks, group: plan.group, boots: [] })).toBeUndefined();
});

test("another image: how many ranks, how long, what changed", () => {
    const before = ranks.map((rank) => ({ ...rank, image: "m:local-1" }));
    const boots = [
        {
            recipe: plan.recipe,
            ranks: 2,
            seconds: 6,
            cold: false,
            weightsGib: 84,
            kvCacheTokens: 9,
        },
    ];
    expect(describeReplacement(plan, { ranks: before, group: "other", boots })).toBe(
        "replaces 2 ranks, without service for about 6 s (earlier starts: 6 s); since the group last served:\n" +
            `  image: m:local-1 -> ${plan.image.tag} (all ranks)`,
    );
});

test("a change that no item shows is told as one of order", () => {
    expect(describeReplacement(plan, { ranks, group: "other", boots: [] })).toContain(
        "\n  order of arguments, variables or mounts",
    );
});
