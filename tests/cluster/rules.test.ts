import { checkFacts, type NodeFacts, rules } from "../../components/cluster";
import {
    base,
    head,
    worker,
    hubPath,
    folder,
    plan,
    type Change,
    found,
    docker,
    firstPath,
    cachePath,
    device,
    fabricInterface,
    container,
    ext4,
} from "./rulesFixture";

test("a healthy Spark has no issue", () => {
    expect(found(() => ({}))).toEqual([]);
});

test("every rule has an id of its own, and follows the rules it builds on", () => {
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    rules.forEach(({ after = [] }, index) => {
        expect(ids.slice(0, index)).toEqual(expect.arrayContaining([...after]));
    });
});

test.each<[string, Change, readonly string[]]>([
    [
        "no docker command",
        docker({ path: "" }),
        ["docker docker-on-path: there is no docker command for nvidia"],
    ],
    [
        "docker off the PATH",
        docker({ path: "", elsewhere: "/snap/bin/docker" }),
        ["docker docker-on-path: docker is at /snap/bin/docker, which is not on that PATH"],
    ],
    [
        "no access",
        docker({ error: "permission denied while trying to connect to the Docker daemon socket" }),
        ["docker docker-access: nvidia has no access to Docker's socket (root:docker 660)"],
    ],
    [
        "dockerd down",
        ({ docker: { version: _, ...rest } }) => ({
            docker: {
                ...rest,
                error: "Cannot connect to the Docker daemon. Is the docker daemon running?",
            },
        }),
        [
            "docker docker-running: dockerd does not answer: Cannot connect to the Docker daemon. Is the docker daemon running?",
        ],
    ],
    [
        "dockerd lists nothing",
        docker({ error: "Error response from daemon: no content", version: "28.2.2" }),
        [
            "docker docker-running: dockerd answers, but does not tell which containers there are: Error response from daemon: no content",
        ],
    ],
    [
        "no GPU runtime",
        docker({ gpuHook: "", runtimes: ["runc"] }),
        ["docker docker-gpu: Docker cannot give out GPUs: no NVIDIA container runtime"],
    ],
    [
        "another architecture",
        () => ({ arch: "x86_64" }),
        ["architecture image-platform: the image is for linux/arm64, spark-1 is amd64"],
    ],
    [
        "a stranger with our name",
        docker({ containers: [container({ name: "spark-vllm-spark-0" })] }),
        [
            "docker container-name: a container spark-vllm-spark-0 (image open-webui:main) is there and not this stack's",
        ],
    ],
    [
        "no such interface",
        (facts) => ({ interfaces: facts.interfaces!.slice(0, 2) }),
        ["fabric fabric-interface: no interface enp1s0f1np1 with an IPv4 address"],
    ],
    [
        "interface down",
        fabricInterface({ up: false }),
        ["fabric fabric-interface: enp1s0f1np1 is down"],
    ],
    [
        "another address",
        fabricInterface({ addresses: [{ address: "192.168.100.7", prefix: 24 }] }),
        ["fabric fabric-address: enp1s0f1np1 has 192.168.100.7, not 192.168.100.1"],
    ],
    [
        "another MTU",
        fabricInterface({ mtu: 1500 }),
        ["fabric fabric-mtu: enp1s0f1np1 has MTU 1500, the configuration says 9000"],
    ],
    [
        "port down",
        device("rocep1s0f1", { state: "1: DOWN" }),
        ["rdma rdma-port: port 1 of rocep1s0f1 is DOWN"],
    ],
    [
        "no such device",
        (facts) => ({ rdma: facts.rdma.slice(0, 2) }),
        ["rdma rdma-port: no RDMA device roceP2p1s0f1"],
    ],
    [
        "no RoCE v2 GID",
        device("rocep1s0f1", { gids: base.rdma[1]!.gids.slice(0, 3) }),
        ["rdma rdma-gid: rocep1s0f1 has no RoCE v2 GID for 192.168.100.1"],
    ],
    [
        "GID of an old address",
        device("rocep1s0f1", { gids: base.rdma[3]!.gids }),
        ["rdma rdma-gid: rocep1s0f1 has no RoCE v2 GID for 192.168.100.1"],
    ],
    [
        "second device without IPv4",
        device("roceP2p1s0f1", { gids: [] }),
        ["rdma rdma-gid: roceP2p1s0f1 has no RoCE v2 GID for an IPv4 address"],
    ],
    ["no devices", () => ({ devices: [] }), ["rdma rdma-devices: /dev/infiniband holds nothing"]],
    [
        "hung NAS",
        firstPath({ state: "hung" }, { hub: { state: "hung", folder, snapshots: [] } }),
        [
            "nas mount-answers: /mnt/nas/ai/huggingface does not answer within 5 s (nfs4 of nas:/volume1/ai)",
        ],
    ],
    [
        "broken NAS",
        firstPath(
            { state: "broken", error: "Transport endpoint is not connected" },
            { hub: { state: "missing", folder, snapshots: [] } },
        ),
        [
            "nas mount-answers: /mnt/nas/ai/huggingface fails: Transport endpoint is not connected (nfs4 of nas:/volume1/ai)",
        ],
    ],
    [
        "empty directory in place of the NAS",
        firstPath({ empty: true }, { ...ext4, hub: { state: "missing", folder, snapshots: [] } }),
        [
            "nas nas-mounted: /mnt/nas/ai/huggingface is not a mount: an empty directory on ext4 of /dev/nvme0n1p2",
        ],
    ],
    [
        "no directory in place of the NAS",
        (facts) => ({
            ...ext4,
            paths: [{ path: hubPath, state: "missing", above: "/mnt" }, facts.paths[1]!],
        }),
        [
            "nas nas-mounted: /mnt/nas/ai/huggingface is not a mount: there is no such directory (ext4 of /dev/nvme0n1p2)",
        ],
    ],
    [
        "unreadable NAS",
        firstPath({ readable: false }),
        ["nas mount-readable: nvidia may not read /mnt/nas/ai/huggingface"],
    ],
    [
        "cache that cannot be made",
        cachePath({ writable: false, above: "/" }),
        [
            "bad-mount cache-writable: /home/nvidia/.cache/jit/triton cannot be made: nvidia can make no directory in /",
        ],
    ],
    [
        "file in place of a cache",
        cachePath({ state: "regular file" }),
        ["bad-mount cache-writable: /home/nvidia/.cache/jit/triton is a regular file"],
    ],
    [
        "cache on the NAS",
        cachePath({ state: "directory", resolved: "/mnt/nas/ai/jit" }),
        [
            "bad-mount cache-local: /home/nvidia/.cache/jit/triton lies on a network file system (nfs4 of nas:/volume1/ai)",
        ],
    ],
    [
        "cache that would be made on the NAS",
        cachePath({ state: "missing", writable: true, above: "/mnt/nas/ai" }),
        [
            "bad-mount cache-local: /home/nvidia/.cache/jit/triton lies on a network file system (nfs4 of nas:/volume1/ai)",
        ],
    ],
    [
        "another home",
        () => ({ home: "/srv/nvidia" }),
        ["bad-mount home-matches: the home of nvidia is /srv/nvidia, the plan says /home/nvidia"],
    ],
])("%s", (_, change, expected) => {
    expect(found(change)).toEqual(expected);
});

test("a cache that a variable puts below another mount lies where that mount does", () => {
    const jitCaches = [`${hubPath}/triton`, "/data/jit"];
    const mounts = [...head.rank.mounts, { hostPath: "/data", kind: "directory" as const }];
    const node = { ...head, jitCaches, rank: { ...head.rank, mounts } };
    const data = {
        path: "/data",
        state: "directory",
        resolved: "/mnt/nas/ai/data",
        ...{ readable: true, writable: true, empty: false },
    };
    const change: Change = (facts) => ({ paths: [...facts.paths, data] });
    expect(found(change, { nodes: [node, worker] })).toEqual([
        `bad-mount cache-local: ${hubPath}/triton lies on a network file system (nfs4 of nas:/volume1/ai)`,
        "bad-mount cache-local: /data/jit lies on a network file system (nfs4 of nas:/volume1/ai)",
    ]);
});

test("an ignored rule is silent, and what rests on it stays so", () => {
    const gone = firstPath(
        { empty: true },
        { ...ext4, hub: { state: "missing", folder, snapshots: [] } },
    );
    expect(found(gone, { ignoredChecks: ["nas-mounted"] })).toEqual([]);
});

test("all nodes' faults come together, each under its node; one that did not answer has none", () => {
    const other = { ...base, node: "spark-2", hostname: "spark-1", devices: [] };
    const issues = checkFacts(plan, [base, other], "g1");
    expect(issues.map(({ file, path }) => `${file ?? ""} ${path}`)).toEqual([
        "spark-2 distinct-machines",
        "spark-2 fabric-address",
        "spark-2 rdma-devices",
    ]);
    expect(checkFacts(plan, [], "g1")).toEqual([]);
});

test("images that are not built here must be there, equal and of the right kind", () => {
    const image = { tag: "thinker:local", build: null, platform: "linux/arm64" };
    const there = { tags: ["thinker:local"], digests: [], id: "sha256:1", arch: "arm64", user: "" };
    expect(found(() => ({}), { image })).toEqual([
        "image image-present: there is no image thinker:local",
    ]);
    expect(found(docker({ images: [] }), { image: { ...image, pull: {} } })).toEqual([]);
    expect(found(docker({ images: [there] }), { image })).toEqual([]);
    expect(found(docker({ images: [{ ...there, arch: "amd64" }] }), { image })).toEqual([
        "architecture image-present: thinker:local is for amd64, spark-1 is arm64",
    ]);
    const [one, two] = ["sha256:1", "sha256:2"].map((id, index) => ({
        ...base,
        node: `spark-${String(index + 1)}`,
        hostname: `h${String(index)}`,
        docker: { ...base.docker, images: [{ ...there, id }] },
    }));
    const issues = checkFacts({ ...plan, image }, [one!, two!], "g1");
    expect(
        issues.filter(({ path }) => path === "image-same").map(({ problem }) => problem),
    ).toEqual(["thinker:local is sha256:2, on spark-1 it is sha256:1"]);
});

test("a peer that is silent on the fabric alone is named; one that is down is told of elsewhere", () => {
    const peers = { "192.168.100.2": false };
    const other = { ...base, node: "spark-2", hostname: "spark-2" };
    const paths = (all: readonly NodeFacts[]) =>
        checkFacts(plan, all, "g1").filter(({ path }) => path === "fabric-peers");
    expect(paths([{ ...base, peers }])).toEqual([]);
    expect(paths([{ ...base, peers }, other]).map(({ problem }) => problem)).toEqual([
        "spark-2 (192.168.100.2) does not answer over enp1s0f1np1",
    ]);
});
