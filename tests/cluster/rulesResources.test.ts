import {
    shard,
    type Change,
    found,
    docker,
    snapshot,
    memory,
    container,
    own,
    listener,
} from "./rulesFixture";

test.each<[string, Change, readonly string[]]>([
    [
        "a visible process",
        () => ({ listeners: [{ ...listener, process: "python3", pid: 77 }] }),
        ["port-taken api-port: port 8000 is held by python3 (process 77)"],
    ],
    [
        "a stranger's container",
        (facts) => ({
            ...docker({ containers: [container({ publishedPorts: [8000] })] })(facts),
            listeners: [listener],
        }),
        ["port-taken api-port: port 8000 is held by container open-webui (image open-webui:main)"],
    ],
    [
        "a stranger that holds memory too",
        () => ({
            listeners: [{ ...listener, process: "python3", pid: 77 }],
            holders: [{ pid: 77, mib: 30_720, container: "", process: "python3" }],
        }),
        ["port-taken api-port: port 8000 is held by python3 (process 77, 30.0 GiB of memory)"],
    ],
    [
        "a process that the user may not see",
        () => ({ listeners: [listener] }),
        [
            "port-taken api-port: port 8000 is held by a process that nvidia may not see (`sudo ss -ltnp` shows it)",
        ],
    ],
    [
        "our own rank",
        (facts) => ({
            ...docker({ containers: [own] })(facts),
            listeners: [{ ...listener, process: "vllm", pid: 9, container: own.id }],
        }),
        [],
    ],
    ["another address", () => ({ listeners: [{ ...listener, address: "192.168.1.11" }] }), []],
    [
        "the rendezvous port, on any address",
        () => ({
            listeners: [{ ...listener, port: 29501, address: "10.0.0.1", process: "x", pid: 5 }],
        }),
        ["port-taken master-port: port 29501 is held by x (process 5)"],
    ],
])("ports: %s", (_, change, expected) => {
    expect(found(change)).toEqual(expected);
});

test("page cache that the launch will drop", () => {
    expect(
        found(memory({ MemFree: 90_000_000 }), { launch: { dropCaches: true, takeOver: false } }),
    ).toEqual([]);
});

test("a group of another stack is a stranger", () => {
    const other = container({ ...own, groupId: "g2", stack: "other" });
    const change: Change = (facts) => ({
        ...docker({ containers: [other] })(facts),
        listeners: [{ ...listener, process: "vllm", pid: 9, container: own.id }],
    });
    expect(found(change)).toEqual([
        "docker other-group: r0, a rank of an unknown stack, runs here",
    ]);
});

test.each<[string, Change, readonly string[]]>([
    [
        "held by a stranger",
        (facts) => ({
            ...memory({ MemFree: 90_000_000, MemAvailable: 92_000_000 })(facts),
            holders: [{ pid: 5, mib: 30_720, container: "a".repeat(64), process: "python" }],
        }),
        [
            "memory memory-share: 87.7 GiB of memory are available, the engine wants 97.4 GiB (0.80 of 121.7 GiB); container open-webui holds 30.0 GiB",
        ],
    ],
    [
        "page cache",
        memory({ MemFree: 90_000_000 }),
        [
            "warning memory memory-share: 85.8 GiB of memory are free and 29.2 GiB are page cache; the engine wants 97.4 GiB (0.80 of 121.7 GiB)",
        ],
    ],
    [
        "held by our own rank",
        (facts) => ({
            ...memory({ MemFree: 9_000_000, MemAvailable: 9_000_000 })(facts),
            ...docker({ containers: [own] })(facts),
        }),
        [],
    ],
    [
        "a stranger that the GPU does not show",
        (facts) => ({
            ...memory({ MemFree: 90_000_000, MemAvailable: 92_000_000 })(facts),
            largest: [{ pid: 7, mib: 20_480, container: "", process: "java" }],
        }),
        [
            "memory memory-share: 87.7 GiB of memory are available, the engine wants 97.4 GiB (0.80 of 121.7 GiB); java (process 7) holds 20.0 GiB",
        ],
    ],
    [
        "held by our own rank, and enough without it",
        (facts) => ({
            ...memory({ MemFree: 9_000_000, MemAvailable: 9_000_000 })(facts),
            ...docker({ containers: [own] })(facts),
            holders: [{ pid: 5, mib: 100_000, container: own.id, process: "vllm" }],
        }),
        [],
    ],
    [
        "held by our own rank and a stranger",
        (facts) => ({
            ...memory({ MemFree: 9_000_000, MemAvailable: 9_000_000 })(facts),
            ...docker({ containers: [own] })(facts),
            holders: [
                { pid: 5, mib: 61_440, container: own.id, process: "vllm" },
                { pid: 6, mib: 40_960, container: "", process: "comfyui" },
            ],
        }),
        [
            "memory memory-share: 68.6 GiB of memory are available without this stack's ranks (60.0 GiB), the engine wants 97.4 GiB (0.80 of 121.7 GiB); comfyui (process 6) holds 40.0 GiB",
        ],
    ],
    [
        "weights that fit without a margin",
        snapshot({ totalSize: 220_000_000_000, shards: [], names: [], sizes: {} }),
        [
            "weights weights-shards: /mnt/nas/ai/huggingface/hub/models--acme--thinker/snapshots/86f746b36186f0e567729a5c06a8c918caba82a9 holds no safetensors",
            "warning memory memory-fit: a rank needs 102.4 GiB of weights and 12.0 GiB of KV cache, the node has 121.7 GiB",
        ],
    ],
    [
        "weights that can never fit",
        snapshot({
            totalSize: 300_000_000_000,
            shards: [],
            names: [shard(1)],
            sizes: { [shard(1)]: 4e11 },
            wants: {},
        }),
        [
            "memory memory-fit: a rank needs 139.7 GiB of weights and 12.0 GiB of KV cache, the node has 121.7 GiB",
        ],
    ],
    [
        "small /dev/shm",
        () => ({ shm: { totalKib: 65_536, freeKib: 65_536 } }),
        ["memory shared-memory: /dev/shm has 0.1 GiB free"],
    ],
    [
        "little room for the image",
        docker({ space: { totalKib: 1e8, freeKib: 20 * 2 ** 20 } }),
        ["warning disk disk-image: /var/lib/docker has 20.0 GiB free"],
    ],
    [
        "no room for the image",
        docker({ space: { totalKib: 1e8, freeKib: 2 ** 20 } }),
        ["disk disk-image: /var/lib/docker has 1.0 GiB free"],
    ],
    [
        "a kernel that breaks RDMA",
        memory({ CmaFree: 600_000 }),
        [
            "warning kernel kernel-rdma: kernel 6.14.0-1015-nvidia breaks RDMA memory registration (CmaFree 600000 kB above CmaTotal 524288 kB)",
        ],
    ],
    [
        "a clock astray",
        () => ({ clockAhead: -120 }),
        ["warning clock clock: the clock is 120 s behind this machine's"],
    ],
])("machine: %s", (_, change, expected) => {
    expect(found(change)).toEqual(expected);
});
