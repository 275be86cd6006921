import { compareManifests } from "../../components/host/compareManifests";
import { type Manifest, manifestDigest } from "../../components/host/manifest";

const manifest: Manifest = {
    python: "3.12.3",
    packages: { torch: "2.9.1", vllm: "0.32.0" },
    plugins: [],
    contents: { vllm: "a".repeat(64) },
    system: { "libssl3:arm64": "3.0.13-0ubuntu3.6" },
};

const compare = (first: Manifest | null, second: Manifest | null) =>
    compareManifests(
        [
            { node: "spark-1", manifest: first },
            { node: "spark-2", manifest: second },
        ],
        "x:local-1",
        "pin it",
    );

test("the same content gives no issue and the same digest, whatever the order of names", () => {
    const turned = { ...manifest, packages: { vllm: "0.32.0", torch: "2.9.1" } };
    expect(compare(manifest, turned)).toEqual([]);
    expect(manifestDigest(turned)).toBe(manifestDigest(manifest));
    expect(compare(null, null)).toEqual([]);
});

test.each<[string, Manifest | null, string]>([
    [
        "a version",
        { ...manifest, packages: { ...manifest.packages, torch: "2.9.0" } },
        "torch is 2.9.0 on spark-2 and 2.9.1 on spark-1",
    ],
    [
        "a package more",
        { ...manifest, packages: { ...manifest.packages, extra: "1" } },
        "extra is 1 on spark-2 and absent on spark-1",
    ],
    [
        "files of the same version",
        { ...manifest, contents: { vllm: "b".repeat(64) } },
        "files of vllm is bbbbbbbbbbbb on spark-2 and aaaaaaaaaaaa on spark-1",
    ],
    [
        "a system package",
        { ...manifest, system: {} },
        "system package libssl3:arm64 is absent on spark-2 and 3.0.13-0ubuntu3.6 on spark-1",
    ],
    [
        "Python",
        { ...manifest, python: "3.12.4" },
        "python is 3.12.4 on spark-2 and 3.12.3 on spark-1",
    ],
    ["no Python", null, "the image has Python 3.12.3 on spark-1 and no Python on spark-2"],
])("%s that differs is told with both values", (_, other, problem) => {
    expect(compare(manifest, other)).toEqual([
        {
            code: "image",
            severity: "error",
            file: "spark-2",
            path: "",
            problem,
            expected: "the same content of x:local-1 on all nodes",
            fix: "pin it",
        },
    ]);
    if (other !== null) expect(manifestDigest(other)).not.toBe(manifestDigest(manifest));
});

test("of many differences the first are shown and the others counted", () => {
    const packages = Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`p${String(i)}`, "1"]),
    );
    const issues = compare(manifest, {
        ...manifest,
        packages: { ...manifest.packages, ...packages },
    });
    expect(issues).toHaveLength(13);
    expect(issues.at(-1)?.problem).toBe("28 more differences");
});
