import { hasImage, planShip, roomIssues } from "../../components/host/shipPlan";
import type { ImageLook } from "../../components/host/imageLook";

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
                  ...{ layers, bytes: 10 * 2 ** 30 },
              },
    root: "/var/lib/docker",
    freeKib: 2 ** 30,
    containerd: false,
    others: layers === null ? [] : [layers],
    ...more,
});

const sender = look("spark-1", ["sha256:a", "sha256:b", "sha256:c"]);
const plan = (...others: readonly ImageLook[]) => {
    const { receivers, leaveOut } = planShip(sender, others);
    return [receivers.map(({ node }) => node), leaveOut];
};

test("the same layers are the same image, whatever its id", () => {
    expect(hasImage(look("spark-2", ["sha256:a", "sha256:b", "sha256:c"]), sender)).toBe(true);
    expect(hasImage(look("spark-2", ["sha256:a", "sha256:b"]), sender)).toBe(false);
    expect(hasImage(look("spark-2", null), sender)).toBe(false);
});

test.each<[string, readonly ImageLook[], readonly [readonly string[], readonly string[]]]>([
    ["nobody lacks it", [sender], [[], []]],
    ["nothing is shared", [look("spark-2", null)], [["spark-2"], []]],
    [
        "an older build is there",
        [look("spark-2", ["sha256:a", "sha256:b", "sha256:x"])],
        [["spark-2"], ["blobs/sha256/a", "blobs/sha256/b"]],
    ],
    [
        "an image under another name stands on the same base",
        [look("spark-2", null, { others: [["sha256:x"], ["sha256:a", "sha256:y"]] })],
        [["spark-2"], ["blobs/sha256/a"]],
    ],
    [
        "a layer above another base is none of ours",
        [look("spark-2", ["sha256:x", "sha256:b"])],
        [["spark-2"], []],
    ],
    [
        "two receivers: what both have",
        [look("spark-2", ["sha256:a", "sha256:b"]), look("spark-3", ["sha256:a"])],
        [["spark-2", "spark-3"], ["blobs/sha256/a"]],
    ],
    [
        "two receivers, one has the image",
        [sender, look("spark-3", ["sha256:a", "sha256:b"])],
        [["spark-3"], ["blobs/sha256/a", "blobs/sha256/b"]],
    ],
    [
        "containerd takes whole images",
        [look("spark-2", ["sha256:a"], { containerd: true })],
        [["spark-2"], []],
    ],
])("%s", (_, others, expected) => {
    expect(plan(...others)).toEqual(expected);
});

test("without shared layers an image needs twice its size", () => {
    const full = look("spark-2", null, { freeKib: 19 * 2 ** 20 });
    expect(roomIssues(sender, planShip(sender, [full]))).toMatchObject([
        {
            code: "disk",
            file: "spark-2",
            problem: "/var/lib/docker has 19.0 GiB free",
            expected: "20.0 GiB to take in the image from spark-1",
        },
    ]);
    const older = look("spark-2", ["sha256:a"], { freeKib: 19 * 2 ** 20 });
    expect(roomIssues(sender, planShip(sender, [older]))).toEqual([]);
    expect(
        roomIssues(sender, planShip(sender, [look("spark-2", null, { freeKib: null })])),
    ).toEqual([]);
});
