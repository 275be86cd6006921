import { checkFacts } from "../../components/cluster";
import { base, type Change, docker, found, memory, plan } from "./rulesFixture";

const built = (user: string) =>
    docker({
        images: [{ tags: [plan.image.tag], digests: [], id: "sha256:1", arch: "arm64", user }],
    });

/** One rank alone has more weights than fit; that is another test's. */
const hubless: Change = ({ hub }) => ({
    hub: { ...hub!, snapshot: { ...hub!.snapshot!, totalSize: 1 } },
});

test.each<[string, Change, readonly string[]]>([
    ...["7.0.0-1019-nvidia", "7.0.0-31-generic"].map(
        (kernel): [string, Change, readonly string[]] => [
            kernel,
            () => ({ kernel }),
            [`warning kernel kernel-rdma: kernel ${kernel} breaks RDMA memory registration`],
        ],
    ),
    ["a kernel that only begins alike", () => ({ kernel: "7.0.0-310-generic" }), []],
    [
        "the tell-tale on a kernel nobody knows",
        memory({ CmaFree: 600_000 }),
        [
            "warning kernel kernel-rdma: kernel 6.14.0-1015-nvidia breaks RDMA memory registration (CmaFree 600000 kB above CmaTotal 524288 kB)",
        ],
    ],
    [
        "rootless Docker",
        docker({ rootless: true }),
        [
            "docker docker-rootless: Docker runs without root's rights (rootless) (docker info says so)",
        ],
    ],
    [
        "an image of another user, logind as it comes",
        built("vllm:vllm"),
        [
            "warning docker remove-ipc: logind removes what a user's ranks share when that user logs out (the image's user is vllm)",
        ],
    ],
    ["the same, logind told not to", (facts) => ({ ...built("vllm")(facts), removeIpc: "no" }), []],
    ["an image of root", built("0:0"), []],
])("%s", (_, change, expected) => {
    expect(found(change)).toEqual(expected);
});

test("a group of one has no use for RDMA", () => {
    const change: Change = (facts) => ({ ...hubless(facts), kernel: "7.0.0-1019-nvidia" });
    expect(found(change, { nodes: [plan.nodes[0]!] })).toEqual([]);
});

test.each([
    [
        { containerdSnapshotter: true, driver: "overlayfs" },
        "docker-snapshotter: Docker keeps its images otherwise than on the head (containerd's overlayfs, there overlay2)",
    ],
    [{ version: "27.5.1" }, "docker-same-major: Docker is 27.5.1, on spark-1 it is 28.3.3"],
    [{ version: "28.0.1" }, undefined],
])("two nodes' Docker, the second %j", (change, expected) => {
    const other = {
        ...base,
        node: "spark-2",
        hostname: "h",
        docker: { ...base.docker, ...change },
    };
    const issues = checkFacts(plan, [base, other], "g1").filter(({ code }) => code === "docker");
    expect(issues.map(({ path, problem }) => `${path}: ${problem}`)).toEqual(
        expected === undefined ? [] : [expected],
    );
});
