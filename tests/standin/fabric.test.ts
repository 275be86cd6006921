import * as fs from "node:fs";
import * as path from "node:path";

import { type Bench, sleep, withBench } from "./ranks";

/** What RDMA needs, as the program sets it. */
const rdma = { NCCL_NET: "IB", NCCL_IB_HCA: "rocep1s0f1", STANDIN_DEV_INFINIBAND: "/" };

const linkLocal = "fe80:0000:0000:0000:0000:00ff:fe00:0001";
const mapped = "0000:0000:0000:0000:0000:ffff:7f00:0001";

/** Devices of a node as under /sys/class/infiniband: one active, one down. */
function makeDevices(bench: Bench, gids: readonly string[]): void {
    for (const [device, state] of [
        ["rocep1s0f0", "1: DOWN"],
        ["rocep1s0f1", "4: ACTIVE"],
    ] as const) {
        const port = path.join(bench.folder, "infiniband", device, "ports", "1");
        fs.mkdirSync(path.join(port, "gids"), { recursive: true });
        fs.mkdirSync(path.join(port, "gid_attrs", "types"), { recursive: true });
        fs.writeFileSync(path.join(port, "state"), `${state}\n`);
        for (const [index, gid] of gids.entries()) {
            fs.writeFileSync(path.join(port, "gids", String(index)), `${gid}\n`);
            const type = index % 2 === 0 ? "IB/RoCE v1" : "RoCE v2";
            fs.writeFileSync(path.join(port, "gid_attrs", "types", String(index)), `${type}\n`);
        }
    }
}

const allGids = [linkLocal, linkLocal, mapped, mapped];

test.concurrent.each([
    ["the default", {}],
    ["an index of a RoCE v2 address", { NCCL_IB_GID_INDEX: "3" }],
    ["a list with ports", { NCCL_IB_HCA: "=rocep1s0f0:1,rocep1s0f1:1" }],
    ["all but the one that is down", { NCCL_IB_HCA: "^rocep1s0f0" }],
])(
    "RDMA is found with %s",
    (_, env) =>
        withBench(async (bench) => {
            makeDevices(bench, allGids);
            const all = { ...rdma, ...env, NCCL_DEBUG: "INFO" };
            const [head] = await bench.serving(2, { env: all });
            expect(head.output).toContain("NCCL INFO NET/IB : Using [0]rocep1s0f1:1/RoCE [RO]");
        }),
    60_000,
);

test.concurrent.each([
    ["a device that is not there", { NCCL_IB_HCA: "mlx5_0" }, allGids, "NET/IB : No device found."],
    ["a device that is down", { NCCL_IB_HCA: "rocep1s0f0" }, allGids, "NET/IB : No device found."],
    [
        "no /dev/infiniband",
        { STANDIN_DEV_INFINIBAND: "/nowhere" },
        allGids,
        "NET/IB : No device found.",
    ],
    [
        "no RoCE v2 address",
        {},
        [linkLocal, linkLocal, mapped],
        "has no RoCE v2 GID with an IPv4 address",
    ],
])(
    "NCCL_NET=IB with %s: all ranks end with NCCL's error",
    (_, env, gids, words) =>
        withBench(async (bench) => {
            makeDevices(bench, gids);
            const options = { env: { ...rdma, ...env } };
            const ranks = [bench.start(0, options), bench.start(1, options)];
            for (const rank of ranks) {
                expect(await rank.exit()).toBe(1);
                expect(rank.output).toContain(`NCCL WARN NET/IB : `);
                expect(rank.output).toContain(words);
                expect(rank.output).toContain("RuntimeError: NCCL error: unhandled system error");
            }
        }),
    60_000,
);

test.concurrent(
    "without NCCL_NET=IB a missing device means sockets",
    () =>
        withBench(async (bench) => {
            makeDevices(bench, allGids);
            const env = { ...rdma, NCCL_NET: "", NCCL_IB_HCA: "mlx5_0", NCCL_DEBUG: "INFO" };
            const [head] = await bench.serving(2, { env });
            expect(head.output).toContain("NCCL INFO Using network Socket");
        }),
    60_000,
);

test.concurrent.each(["0", ""])(
    "NCCL_IB_GID_INDEX=%p is the link-local entry: ranks hang",
    (index) =>
        withBench(async (bench) => {
            makeDevices(bench, allGids);
            const options = { env: { ...rdma, NCCL_IB_GID_INDEX: index } };
            const ranks = [bench.start(0, options), bench.start(1, options)];
            for (const rank of ranks) await rank.until("distributed_init_method=");
            await sleep(1000);
            for (const rank of ranks) {
                expect(rank.running).toBe(true);
                expect(rank.output).not.toContain("vLLM is using nccl");
            }
        }),
    60_000,
);

test.concurrent.each([
    ["NCCL_SOCKET_IFNAME", "NCCL WARN Bootstrap : no socket interface found"],
    ["GLOO_SOCKET_IFNAME", "Unable to find address for: nosuch0"],
])(
    "%s of an interface that does not exist ends the rank",
    (name, words) =>
        withBench(async (bench) => {
            const head = bench.start(0, { env: { [name]: "nosuch0" } });
            const worker = bench.start(1);
            expect(await head.exit()).toBe(1);
            expect(head.output).toContain(words);
            expect(worker.running).toBe(true);
        }),
    60_000,
);

test.concurrent(
    "VLLM_HOST_IP of another machine ends the head",
    () =>
        withBench(async (bench) => {
            const head = bench.start(0, { env: { VLLM_HOST_IP: "192.0.2.1" } });
            bench.start(1);
            expect(await head.exit()).toBe(1);
            expect(head.output).toContain(
                "ZMQError: Cannot assign requested address (addr='tcp://192.0.2.1')",
            );
        }),
    60_000,
);
