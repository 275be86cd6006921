import { commonLayers, hasImage, roomIssues } from "../../../components/host/ship/shipPlan";
import type { ImageLook } from "../../../components/host/imageLook";

const look = (
    node: string,
    layers: readonly string[] | null,
    more: Partial<ImageLook> = {},
): ImageLook => ({
    node,
    image:
        layers === null
            ? null
            : {
                  ...{ id: "i", arch: "arm64", os: "linux", context: null, digests: [] },
                  ...{ layers, bytes: 10 * 2 ** 30, settings: { user: "root" } },
              },
    root: "/var/lib/docker",
    freeKib: 2 ** 30,
    containerd: false,
    others: layers === null ? [] : [layers],
    ...more,
});

const sender = look("spark-1", ["sha256:a", "sha256:b", "sha256:c"]);
test("the same layers are the same image, whatever its id", () => {
    expect(hasImage(look("spark-2", ["sha256:a", "sha256:b", "sha256:c"]), sender)).toBe(true);
    expect(hasImage(look("spark-2", ["sha256:a", "sha256:b"]), sender)).toBe(false);
    expect(hasImage(look("spark-2", null), sender)).toBe(false);
});

test("other settings or another label over the same layers are another image", () => {
    const own = sender.image;
    if (own === null) throw new Error("no image");
    const like = (more: Partial<typeof own>) =>
        look("spark-2", null, { image: { ...own, id: "j", ...more } });
    expect(hasImage(like({}), sender)).toBe(true);
    expect(hasImage(like({ context: "d" }), sender)).toBe(false);
    expect(hasImage(like({ settings: { user: "1000" } }), sender)).toBe(false);
});

test.each<[string, ImageLook, number]>([
    ["nothing is shared", look("spark-2", null), 0],
    ["an older build is there", look("spark-2", ["sha256:a", "sha256:b", "sha256:x"]), 2],
    [
        "an image under another name stands on the same base",
        look("spark-2", null, { others: [["sha256:x"], ["sha256:a", "sha256:y"]] }),
        1,
    ],
    ["a layer above another base is none of ours", look("spark-2", ["sha256:x", "sha256:b"]), 0],
    ["containerd counts otherwise", look("spark-2", ["sha256:a"], { containerd: true }), 0],
])("%s", (_, receiver, expected) => {
    expect(commonLayers(receiver, sender)).toBe(expected);
});

test("what is missing needs twice its size, packed four times", () => {
    const gib = 2 ** 30;
    const offer = { layers: [6 * gib, 3 * gib, gib], packed: false };
    const full = look("spark-2", null, { freeKib: 19 * 2 ** 20 });
    expect(roomIssues(sender, [full], offer)).toMatchObject([
        {
            code: "disk",
            file: "spark-2",
            problem: "/var/lib/docker has 19.0 GiB free",
            expected: "20.0 GiB to take in the image from spark-1",
        },
    ]);
    const older = look("spark-2", ["sha256:a"], { freeKib: 15 * 2 ** 20 });
    expect(roomIssues(sender, [older], offer)).toEqual([]);
    expect(roomIssues(sender, [older], { ...offer, packed: true })).toMatchObject([
        { expected: "16.0 GiB to take in the image from spark-1" },
    ]);
    expect(roomIssues(sender, [look("spark-2", null, { freeKib: null })], offer)).toEqual([]);
});
