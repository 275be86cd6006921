import { imageIssues, unreadable } from "../../components/host/imageCheck";
import type { ImageLook, SeenImage } from "../../components/host/imageLook";
import type { ImagePlan } from "../../components/plan";

const digest = "c".repeat(64);
const built: ImagePlan = {
    tag: "x:local-cccccccccccc",
    reference: "x:local",
    strategy: "per-node",
    platform: "linux/arm64",
    build: {
        context: "docker-images/x",
        dockerfile: "docker-images/x/Dockerfile",
        args: { SPARK_VLLM_CONTEXT: digest },
        digest,
        labels: { "spark-vllm.context": digest },
    },
};
const found: ImagePlan = { ...built, tag: "x:local", build: null };

const image: SeenImage = {
    id: "sha256:1",
    arch: "arm64",
    os: "linux",
    context: digest,
    layers: ["sha256:a"],
    digests: [],
    bytes: 1,
    settings: { "variable A": "1", user: "root", folder: "/" },
};

const look = (node: string, seen: Partial<SeenImage> | null): ImageLook => ({
    node,
    image: seen === null ? null : { ...image, ...seen },
    root: "/var/lib/docker",
    freeKib: null,
    containerd: false,
    others: [],
});

const problems = (plan: ImagePlan, second: Partial<SeenImage> | null) =>
    imageIssues([look("spark-1", {}), look("spark-2", second)], plan).map(
        ({ code, file, problem, fix }) => [code, file, problem, fix],
    );

test.each<[string, ImagePlan, Partial<SeenImage>]>([
    ["the same", built, {}],
    ["another time of build", built, { id: "sha256:2", layers: ["sha256:b"] }],
    ["the same, not built by us", found, { context: null }],
])("%s is no issue", (_, plan, second) => {
    const first = look("spark-1", second.context === null ? { context: null } : {});
    expect(imageIssues([first, look("spark-2", second)], plan)).toEqual([]);
});

const rebuild = "`pulumi up --replace '**::spark-2-image'` builds it anew";
const platform = "take a base image for that platform (image.base), or correct image.platform";

test.each<[string, ImagePlan, Partial<SeenImage> | null, string, string, string]>([
    ["absent", built, null, "image", "there is no image x:local-cccccccccccc", rebuild],
    [
        "another build",
        built,
        { context: "d".repeat(64) },
        "image",
        "x:local-cccccccccccc holds another build: its label spark-vllm.context is dddddddddddd",
        rebuild,
    ],
    [
        "of others",
        built,
        { context: null },
        "image",
        "x:local-cccccccccccc holds another build: its label spark-vllm.context is absent",
        rebuild,
    ],
    [
        "another machine",
        built,
        { arch: "amd64" },
        "architecture",
        "x:local-cccccccccccc is for linux/amd64",
        platform,
    ],
    [
        "absent, not ours",
        found,
        null,
        "image",
        "there is no image x:local",
        "build or load it there; it is never pulled",
    ],
    [
        "different, not ours",
        found,
        { id: "sha256:2", context: null, layers: ["sha256:b"] },
        "image",
        "x:local is sha256:2, on spark-1 it is sha256:1",
        "`docker save` it on spark-1 and `docker load` it here",
    ],
])("%s is refused", (_, plan, second, code, problem, fix) => {
    expect(problems(plan, second)).toEqual([[code, "spark-2", problem, fix]]);
});

test.each<[string, Record<string, string>, string]>([
    [
        "a variable",
        { "variable A": "2" },
        'variable A of x:local-cccccccccccc is "2" on spark-2 and "1" on spark-1',
    ],
    [
        "another variable",
        { "variable B": "2" },
        'variable B of x:local-cccccccccccc is "2" on spark-2 and absent on spark-1',
    ],
    [
        "a secret",
        { "variable API_KEY": "hunter2" },
        "variable API_KEY of x:local-cccccccccccc is another (not shown) on spark-2 and absent on spark-1",
    ],
    [
        "the user",
        { user: "1000" },
        'user of x:local-cccccccccccc is "1000" on spark-2 and "root" on spark-1',
    ],
])("%s that differs is refused", (_, settings, problem) => {
    const other = { settings: { ...image.settings, ...settings } };
    expect(problems(built, other)).toEqual([["image", "spark-2", problem, rebuild]]);
});

test("of a shipped image, the other nodes' is sent again", () => {
    const shipped: ImagePlan = { ...built, strategy: "ship" };
    expect(problems(shipped, null).map(([, , , fix]) => fix)).toEqual([
        "`pulumi up --replace '**::image-ship'` sends the first node's",
    ]);
});

test("images with other layers whose engine cannot be read are warned about", () => {
    const [first, second] = [look("spark-1", {}), look("spark-2", { layers: ["sha256:b"] })];
    expect(unreadable([first, first], built, null)).toEqual([]);
    expect(unreadable([first, second], built, { vllm: "d" })).toEqual([]);
    for (const [contents, problem] of [
        [null, "has no Python"],
        [{ torch: "d" }, "has no vllm"],
    ] as const) {
        expect(unreadable([first, second], built, contents)).toMatchObject([
            { severity: "warning", problem: expect.stringContaining(problem) as string },
        ]);
    }
});
