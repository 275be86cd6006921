import { addJitRecord, describeJit, type JitRecord, jitStamp } from "../../components/plan";
import { planStack } from "../../components/plan";
import { exampleCluster, seedInput, seedRecipe } from "./seed";

const seed = planStack(seedInput());
const { topology } = seed.jit;
const home = "/home/nvidia";

/** The JIT caches of the head, for mounts and variables of a recipe. */
function cachesOf(
    mounts: readonly { host: string; container: string; env?: string; readOnly?: boolean }[],
    env: Readonly<Record<string, string>> = {},
): readonly string[] {
    const recipe = {
        ...seedRecipe(),
        env,
        mounts: mounts.map((mount) => ({ readOnly: false, ...mount })),
    };
    return planStack({ ...seedInput(), recipe }).nodes[0]?.jitCaches ?? [];
}

test("the seed's three kernel caches, and not its weights", () => {
    expect(seed.nodes[0]?.jitCaches).toEqual(
        ["triton", "flashinfer", "vllm"].map((name) => `${home}/.cache/dsv4vision-jit/${name}`),
    );
});

test.each([
    ["a place", [{ host: "~/a", container: "/root/.cache/torch/x" }], {}, [`${home}/a`]],
    ["a mount's own variable", [{ host: "/b", container: "/c", env: "TRITON_HOME" }], {}, ["/b"]],
    [
        "a variable below a mount",
        [{ host: "~/a", container: "/c" }],
        { VLLM_CACHE_ROOT: "/c/vllm" },
        [`${home}/a/vllm`],
    ],
    ["a variable elsewhere", [{ host: "~/a", container: "/c" }], { TRITON_HOME: "/cc" }, []],
    ["another directory", [{ host: "~/prompts", container: "/prompts" }], {}, []],
    ["a read-only one", [{ host: "~/a", container: "/root/.triton", readOnly: true }], {}, []],
    [
        "one within another",
        [
            { host: "~/a/t", container: "/root/.triton" },
            { host: "~/a", container: "/root/.cache/vllm" },
        ],
        {},
        [`${home}/a`],
    ],
])("kernel caches: %s", (_, mounts, env, expected) => {
    expect(cachesOf(mounts, env)).toEqual(expected);
});

const libraries = {
    packages: { torch: "2.9.1", vllm: "0.32.0" },
    contents: { vllm: "aa", dsv4_vision: "bb" },
};

test("a stamp is 12 hex digits and does not depend on the order of what was found", () => {
    const stamp = jitStamp(libraries, topology, "x:1");
    expect(stamp).toMatch(/^[0-9a-f]{12}$/);
    const packages = { vllm: "0.32.0", torch: "2.9.1" };
    expect(jitStamp({ ...libraries, packages }, topology, "x:2")).toBe(stamp);
});

test.each([
    ["a version", { ...libraries, packages: { torch: "2.9.2", vllm: "0.32.0" } }, topology],
    ["a plugin", { ...libraries, contents: { vllm: "aa", dsv4_vision: "bc" } }, topology],
    ["tensor parallel", libraries, { ...topology, tensorParallelSize: 4 }],
    ["pipeline parallel", libraries, { ...topology, pipelineParallelSize: 2 }],
    ["platform", libraries, { ...topology, platform: "linux/amd64" }],
])("another %s is another stamp", (_, changed, cut) => {
    expect(jitStamp(changed, cut, "x:1")).not.toBe(jitStamp(libraries, topology, "x:1"));
});

test("an image that tells nothing has a stamp of its own", () => {
    const nothing = { packages: {}, contents: {} };
    expect(jitStamp(nothing, topology, "x:1")).not.toBe(jitStamp(nothing, topology, "x:2"));
});

const served = (image: string, stamp: string, tensorParallelSize = 2): JitRecord => ({
    image,
    stamp,
    topology: { ...topology, tensorParallelSize },
});
const now = served(seed.image.tag, "aaa");

test.each<[string, readonly JitRecord[], string]>([
    ["the first start", [], "cold JIT unless the nodes have caches of this kind"],
    ["the same start", [now], ""],
    ["another image", [served("x:1", "bbb")], "cold JIT if the image's torch, triton, flashinfer"],
    ["another cut", [served("x:1", "bbb", 4)], "cold JIT (tensor_parallel_size 4 -> 2): kernels"],
    ["a way back", [now, served("x:1", "bbb")], "JIT caches of aaa are put back, those of bbb"],
    ["a way back to the same kernels", [now, served("x:1", "aaa")], ""],
])("preview on %s", (_, records, line) => {
    const said = describeJit(records, seed).join("\n");
    expect(said.slice(0, line.length)).toBe(line);
    expect(said === "").toBe(line === "");
});

test("preview says that caches are kept, and nothing where there are none", () => {
    const before = [served("x:1", "bbb")];
    const kept = planStack({
        ...seedInput(),
        cluster: exampleCluster({ caches: { onImageChange: "keep" } }),
    });
    expect(describeJit(before, kept)).toEqual([
        "JIT caches stay in place, whatever changes (caches.onImageChange: keep)",
    ]);
    const nodes = seed.nodes.map((node) => ({ ...node, jitCaches: [] }));
    expect(describeJit(before, { ...seed, nodes })).toEqual([]);
});

test("records: a start like an earlier one takes its place, twenty are kept", () => {
    const other = served("x:1", "bbb");
    expect(addJitRecord([now, other], { ...now, stamp: "ccc" })).toEqual([
        other,
        { ...now, stamp: "ccc" },
    ]);
    const many = Array.from({ length: 30 }, (_, i) => served(`x:${String(i)}`, "bbb"));
    expect(many.reduce<readonly JitRecord[]>(addJitRecord, [])).toEqual(many.slice(-20));
});
