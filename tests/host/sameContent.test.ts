import { imagesToRead, type RankImage } from "../../components/host/sameContent";

const rank = (more: Partial<RankImage> = {}): RankImage => ({
    tagged: "sha256:a",
    ofRank: "sha256:a",
    running: true,
    ...more,
});

test.each<[string, readonly RankImage[], readonly string[] | undefined]>([
    ["every tag leads to its rank's image", [rank(), rank({ running: false })], undefined],
    [
        "another image under a dead rank's tag",
        [rank(), rank({ running: false, tagged: "sha256:b" })],
        ["sha256:a", "sha256:b"],
    ],
    [
        "another image under a running rank's tag: the rank keeps its own",
        [rank({ tagged: "sha256:b" }), rank({ running: false })],
        ["sha256:a", "sha256:a"],
    ],
    [
        "a rank that is gone tells nothing",
        [rank(), rank({ running: false, ofRank: undefined })],
        ["sha256:a", "sha256:a"],
    ],
    [
        "an image that is missing is told elsewhere",
        [rank(), rank({ running: false, tagged: undefined })],
        undefined,
    ],
])("before a revival: %s", (_, seen, expected) => {
    expect(imagesToRead(seen)).toEqual(expected);
});
