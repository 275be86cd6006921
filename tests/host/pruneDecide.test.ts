import { type KeptImage, shownNames } from "../../components/host/ownImage";
import {
    cachesInPlace,
    decidePrune,
    type Kept,
    type KeptCache,
    type PruneRule,
    type Release,
} from "../../components/host/pruneDecide";
import { parseCaches } from "../../components/host/pruneLook";

const nowSeconds = Date.parse("2026-03-10T00:00:00Z") / 1000;
const directory = "/home/u/.cache/jit/triton";
const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(12)) as [string, string, string];

const tagOf = (letter: string) => `vllm:local-${letter}`;
const image = (letter: string, more: Partial<KeptImage> = {}): KeptImage => ({
    id: `sha256:${letter}`,
    tags: [tagOf(letter)],
    digests: [],
    context: letter.padEnd(64, "0"),
    created: "2026-01-01T00:00:00Z",
    bytes: 100,
    ...more,
});
const release = (letter: string, day: number, owner = "o/p/spark"): Release => ({
    owner,
    tag: tagOf(letter),
    servedAt: `2026-03-0${String(day)}T00:00:00.000Z`,
    caches: [{ path: directory, stamp: letter }],
});
const cache = (stamp: string, more: Partial<KeptCache> = {}): KeptCache => ({
    path: `${directory}.${stamp}`,
    directory,
    inPlace: false,
    stamp,
    changedSeconds: 0,
    bytes: 10,
    ...more,
});
const kept: Kept = {
    releases: [release(a, 1), release(b, 2), release(c, 3)],
    images: [image(a), image(b), image(c, { tags: [tagOf(c), "vllm:local"] })],
    caches: [cache(a), cache(b), cache(c, { path: directory, inPlace: true })],
    containers: [],
};
const rule: PruneRule = {
    owner: "o/p/spark",
    retain: 2,
    images: true,
    caches: true,
    strays: "none",
    nowSeconds,
};

/** What goes, in short. */
function gone(more: Partial<Kept>, change: Partial<PruneRule> = {}) {
    const { images, caches, releases } = decidePrune({ ...kept, ...more }, { ...rule, ...change });
    return [
        images.flatMap(({ names }) => names),
        caches.map(({ path }) => path),
        releases.map(({ tag }) => tag),
    ];
}

const nothing = [[], [], []];
const oldest = [[tagOf(a)], [`${directory}.${a}`], [tagOf(a)]];
const container = (more: object) => ({ name: "/x", image: "sha256:other", mounts: [], ...more });
const nameless = image(a, { tags: [], id: "sha256:2" });
const shipped = "127.0.0.1:4711/spark-vllm-ship/token@sha256:e";
const unnoted = "d".repeat(12);

test.each<[string, Partial<Kept>, Partial<PruneRule>, string[][]]>([
    ["more than retain: the one that served longest ago goes", {}, {}, oldest],
    ["no more than retain: nothing", {}, { retain: 3 }, nothing],
    [
        "it served again since: the next one goes",
        { releases: [release(a, 4), release(b, 2), release(c, 3)] },
        {},
        [[tagOf(b)], [`${directory}.${b}`], [tagOf(b)]],
    ],
    [
        "a container has the image, running or not: its cache goes, its note stays",
        { containers: [container({ image: `sha256:${a}` })] },
        {},
        [[], [`${directory}.${a}`], []],
    ],
    [
        "a container has the cache, or what is in it",
        { containers: [container({ mounts: [{ Source: `${directory}.${a}/k` }, {}] })] },
        {},
        [[tagOf(a)], [], []],
    ],
    [
        "another stack has it too",
        { releases: [...kept.releases, release(a, 1, "o/p/other")] },
        {},
        [[], [], [tagOf(a)]],
    ],
    [
        "another stack's older ones are not ours to count",
        { releases: [release(a, 1, "o/p/other"), release(b, 2), release(c, 3)] },
        {},
        nothing,
    ],
    [
        "a label alone does not make it ours",
        { images: [image(a, { tags: ["theirs:1"] }), nameless] },
        {},
        [[], [`${directory}.${a}`], [tagOf(a)]],
    ],
    [
        "an old one that never served stays at an up",
        { images: [...kept.images, image(unnoted)], caches: [cache(unnoted)] },
        { retain: 3 },
        nothing,
    ],
    [
        "an old one that never served goes when asked",
        { images: [...kept.images, image(unnoted)], caches: [cache(unnoted), cache("")] },
        { retain: 3, strays: "day-old" },
        [[tagOf(unnoted)], [`${directory}.${unnoted}`], []],
    ],
    [
        "one that lost its tags to a later build goes when asked; not one that someone pulled or named",
        {
            images: [
                ...[nameless, image("e", { tags: ["theirs:1"] })],
                image("f", { tags: [], digests: ["registry.example.test/x@sha256:f"] }),
                image("g", { tags: [], context: "" }),
            ],
            caches: [],
        },
        { retain: 3, strays: "day-old" },
        [["sha256:2"], [], []],
    ],
    [
        "what a killed transfer left goes when asked",
        { images: [image("e", { tags: [], digests: [shipped] })], caches: [] },
        { retain: 3, strays: "day-old" },
        [[shipped], [], []],
    ],
    [
        "one that was just built stays",
        { images: [image(unnoted, { created: "2026-03-09T12:00:00Z" })], caches: [] },
        { retain: 3, strays: "day-old" },
        nothing,
    ],
    [
        "without notes the newest count as served",
        {
            releases: [],
            images: [image(a), image(b, { created: "2026-02-01T00:00:00Z" }), image(c)],
            caches: [],
        },
        { retain: 1, strays: "day-old" },
        [[tagOf(a), tagOf(c)], [], []],
    ],
    [
        "purge of images",
        {},
        { retain: 0, strays: "all", caches: false },
        [[tagOf(a), tagOf(b), tagOf(c), "vllm:local"], [], []],
    ],
    [
        "purge of caches; an unmarked one in place is someone's",
        { caches: [...kept.caches, cache("", { path: "/home/u/.cache/x", inPlace: true })] },
        { retain: 0, strays: "all", images: false },
        [[], [`${directory}.${a}`, `${directory}.${b}`, directory], []],
    ],
])("%s", (_, more, change, expected) => {
    expect(gone(more, change)).toEqual(expected);
});

test("lines of caches", () => {
    expect(
        parseCaches(`/c/t.unstamped\t/c/t\taside\t\t17\t2\n/c/t\t/c/t\tin-place\tab\t18\t0\n`),
    ).toEqual([
        {
            path: "/c/t.unstamped",
            directory: "/c/t",
            inPlace: false,
            stamp: "",
            changedSeconds: 17,
            bytes: 2048,
        },
        {
            path: "/c/t",
            directory: "/c/t",
            inPlace: true,
            stamp: "ab",
            changedSeconds: 18,
            bytes: 0,
        },
    ]);
});

test("a start's caches: those it mounts, with the stamps they carry", () => {
    const caches = [
        ...kept.caches,
        cache("", { path: "/home/u/.cache/x", directory: "/home/u/.cache/x", inPlace: true }),
        cache(a, { path: "/home/u/.cache/y", directory: "/home/u/.cache/y", inPlace: true }),
    ];
    expect(cachesInPlace({ caches }, [directory, "/home/u/.cache/x"])).toEqual([
        { path: directory, stamp: c },
    ]);
});

test("names in words: tags as they are, an id and a killed transfer's name by what they are", () => {
    const id = `sha256:${"0a".repeat(32)}`;
    expect(shownNames([tagOf(a), "vllm:local"])).toBe(`${tagOf(a)}, vllm:local`);
    expect(shownNames([id])).toBe("0a0a0a0a0a0a, which lost its name to a later build");
    expect(shownNames([shipped])).toBe("left by a transfer that was killed");
});
