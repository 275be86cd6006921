import type { Boot, StackPlan } from "../../components/plan";
import { estimateOutage } from "../../components/plan/estimateOutage";

const plan = { recipe: "m", nodes: [{}, {}] } as unknown as StackPlan;
const boot = (seconds: number, cold: boolean | null, other: Partial<Boot> = {}): Boot => ({
    recipe: "m",
    ranks: 2,
    seconds,
    cold,
    weightsGib: 84,
    kvCacheTokens: 1,
    ...other,
});

test.each<[string, readonly Boot[], string]>([
    [
        "earlier starts, newest first: the middle one counts",
        [boot(541, false), boot(530, null), boot(1900, false)],
        "about 9 min (earlier starts: 541, 530, 1900 s)",
    ],
    [
        "cold starts apart",
        [boot(530, false), boot(2160, true)],
        "about 9 min (earlier starts: 530 s), or 36 min with cold JIT caches (2160 s)",
    ],
    ["only a cold start", [boot(8, true)], "about 8 s with cold JIT caches (8 s)"],
])("%s", (_, boots, text) => {
    expect(estimateOutage(plan, boots)).toBe(`without service for ${text}`);
});

test("starts of another recipe, or on more ranks, tell nothing", () => {
    const others = [boot(1, false, { recipe: "n" }), boot(1, false, { ranks: 4 })];
    expect(estimateOutage(plan, others)).toBe(
        "without service until it has booted: this recipe has not started here yet",
    );
    expect(
        estimateOutage({ ...plan, expected: { bootSeconds: 530, tolerance: 0.1 } }, others),
    ).toBe("without service for about 9 min with warm JIT caches (the image's smoke.toml says so)");
});
