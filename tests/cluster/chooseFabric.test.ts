import {
    chooseFabric,
    discoverIssues,
    fabricPorts,
    fabricProbes,
    type NodeFacts,
} from "../../components/cluster";
import { base } from "./rulesFixture";

/** A Spark: four HCAs, of which rocep1s0f1 and roceP2p1s0f1, twins of one port, are up; its addresses changed. */
function spark(n: number, addresses: Readonly<Record<string, string>>, change = {}): NodeFacts {
    const gid = (address: string) => ({
        index: 3,
        gid: `0000:0000:0000:0000:0000:ffff:${address
            .split(".")
            .map((part) => Number(part).toString(16).padStart(2, "0"))
            .join("")
            .replace(/(....)/, "$1:")}`,
        type: "RoCE v2",
        interface: "",
    });
    return {
        ...base,
        node: `spark-${String(n)}`,
        rdma: base.rdma.map((device) => {
            const address = addresses[device.interfaces[0] ?? ""];
            return { ...device, gids: address === undefined ? [] : [gid(address)] };
        }),
        interfaces: Object.entries(addresses).map(([name, address]) => ({
            name,
            mtu: 9000,
            up: true,
            addresses: [{ address, prefix: address.startsWith("169.254.") ? 16 : 24 }],
        })),
        ...change,
    };
}

const [p1, twin] = ["enp1s0f1np1", "enP2p1s0f1np1"];
const pair = (first: Record<string, string>, second: Record<string, string>) => [
    spark(1, first),
    spark(2, second),
];
const both = pair(
    { [p1]: "192.168.100.1", [twin]: "192.168.101.1" },
    { [p1]: "192.168.100.2", [twin]: "192.168.101.2" },
);

/** Fabric and left-out reasons of each node; `deaf`: addresses that answer nobody. */
function chosen(all: readonly NodeFacts[], deaf: readonly string[] = []) {
    const choices = chooseFabric(all.map(fabricPorts), ({ address }) => !deaf.includes(address));
    return choices.map(({ fabric, leftOut }) => ({
        fabric: fabric && [fabric.interface, fabric.address, fabric.mtu, ...fabric.hcas].join(" "),
        out: leftOut
            .filter(({ reason }) => reason !== "its port is DOWN")
            .map(({ device, reason }) => `${device}: ${reason}`),
    }));
}

test("twins of one port, each in a subnet of its own: both devices, in one order", () => {
    expect(chosen(both)).toEqual([
        { fabric: `${p1} 192.168.100.1 9000 rocep1s0f1 roceP2p1s0f1`, out: [] },
        { fabric: `${p1} 192.168.100.2 9000 rocep1s0f1 roceP2p1s0f1`, out: [] },
    ]);
    expect(fabricPorts(base).leftOut).toEqual([
        { device: "rocep1s0f0", interface: "enp1s0f0np0", reason: "its port is DOWN" },
        { device: "roceP2p1s0f0", interface: "enP2p1s0f0np0", reason: "its port is DOWN" },
    ]);
});

test("each node's own names, whichever port the cable is in", () => {
    const other = both[1]!;
    const renamed: NodeFacts = {
        ...other,
        rdma: other.rdma.map((device) => ({
            ...device,
            name: device.name.replace(/f1$/, "fx").replace(/f0$/, "f1").replace(/fx$/, "f0"),
            interfaces: device.interfaces.map((name) => name.replace("f1np1", "f0np0")),
        })),
        interfaces: other.interfaces!.map((each) => ({
            ...each,
            name: each.name.replace("f1np1", "f0np0"),
        })),
    };
    expect(chosen([both[0]!, renamed]).map(({ fabric }) => fabric)).toEqual([
        `${p1} 192.168.100.1 9000 rocep1s0f1 roceP2p1s0f1`,
        "enp1s0f0np0 192.168.100.2 9000 rocep1s0f0 roceP2p1s0f0",
    ]);
});

test("a port to something else is no fabric: another subnet", () => {
    const all = pair(
        { [p1]: "192.168.100.1", [twin]: "10.0.0.1" },
        { [p1]: "192.168.100.2", [twin]: "192.168.101.2" },
    );
    expect(chosen(all)).toEqual([
        {
            fabric: `${p1} 192.168.100.1 9000 rocep1s0f1`,
            out: ["roceP2p1s0f1: spark-2 has no active port in 10.0.0.0/24"],
        },
        {
            fabric: `${p1} 192.168.100.2 9000 rocep1s0f1`,
            out: ["roceP2p1s0f1: spark-1 has no active port in 192.168.101.0/24"],
        },
    ]);
});

test("the same subnet is not enough: the other node must answer", () => {
    expect(chosen(both, ["192.168.101.2"])).toEqual([
        {
            fabric: `${p1} 192.168.100.1 9000 rocep1s0f1`,
            out: ["roceP2p1s0f1: spark-2 does not answer on it"],
        },
        {
            fabric: `${p1} 192.168.100.2 9000 rocep1s0f1`,
            out: ["roceP2p1s0f1: another node does not reach all nodes in 192.168.101.0/24"],
        },
    ]);
    expect(chosen(both, ["192.168.100.1", "192.168.101.2"]).map(({ fabric }) => fabric)).toEqual([
        undefined,
        undefined,
    ]);
});

test("every common address is asked on its own port", () => {
    expect(fabricProbes(both.map(fabricPorts))).toEqual([
        { node: "spark-1", interface: p1, address: "192.168.100.2" },
        { node: "spark-1", interface: twin, address: "192.168.101.2" },
        { node: "spark-2", interface: p1, address: "192.168.100.1" },
        { node: "spark-2", interface: twin, address: "192.168.101.1" },
    ]);
});

test("twins in one subnet: one of them, and a netplan for the other", () => {
    const all = pair(
        { [p1]: "192.168.100.1", [twin]: "192.168.100.11" },
        { [p1]: "192.168.100.2", [twin]: "192.168.100.12" },
    );
    expect(chosen(all)[0]).toEqual({
        fabric: `${p1} 192.168.100.1 9000 rocep1s0f1`,
        out: [`roceP2p1s0f1: ${p1} is in 192.168.100.0/24 too: give each port a subnet of its own`],
    });
    const choices = chooseFabric(all.map(fabricPorts), () => true);
    expect(
        discoverIssues(choices, all).map(({ file, severity, fix }) => [file, severity, fix]),
    ).toEqual(
        [1, 2].map((n) => [
            `spark-${String(n)}`,
            "warning",
            `write \`network: {version: 2, ethernets: {${twin}: {addresses: [192.168.101.${String(n)}/24], mtu: 9000}}}\` to ` +
                `/etc/netplan/60-${twin}.yaml, \`sudo netplan apply\`, then run discover`,
        ]),
    );
});

test("link-local addresses come last, and with a warning when there is nothing else", () => {
    const some = pair(
        { [p1]: "169.254.1.1", [twin]: "192.168.101.1" },
        { [p1]: "169.254.1.2", [twin]: "192.168.101.2" },
    );
    expect(chosen(some)[0]).toEqual({
        fabric: `${twin} 192.168.101.1 9000 roceP2p1s0f1`,
        out: ["rocep1s0f1: 169.254.1.1 is link-local"],
    });
    const only = pair({ [p1]: "169.254.1.1" }, { [p1]: "169.254.1.2" });
    const choices = chooseFabric(only.map(fabricPorts), () => true);
    expect(choices[0]?.fabric?.address).toBe("169.254.1.1");
    expect(discoverIssues(choices, only).map(({ problem }) => problem)).toEqual([
        `169.254.1.1 on ${p1} is link-local: it may be another one after a restart`,
        `169.254.1.2 on ${p1} is link-local: it may be another one after a restart`,
    ]);
});

test("no fabric is an error of each node, with what was left out; so is another MTU", () => {
    const none = [both[0]!, { ...both[1]!, rdma: [] }];
    const issues = discoverIssues(
        chooseFabric(none.map(fabricPorts), () => true),
        none,
    );
    expect(issues.map(({ file, severity, problem }) => [file, severity, problem])).toEqual([
        [
            "spark-1",
            "error",
            "no port leads to all other nodes (rocep1s0f0 (enp1s0f0np0): its port is DOWN; roceP2p1s0f0 (enP2p1s0f0np0): its port is DOWN; " +
                `rocep1s0f1 (${p1}): spark-2 has no active port in 192.168.100.0/24; roceP2p1s0f1 (${twin}): spark-2 has no active port in 192.168.101.0/24)`,
        ],
        ["spark-2", "error", "no port leads to all other nodes (there is no RDMA device)"],
    ]);
    const small = both[1]!.interfaces!.map((each) => ({ ...each, mtu: 1500 }));
    const mixed = [both[0]!, { ...both[1]!, interfaces: small }];
    const found = discoverIssues(
        chooseFabric(mixed.map(fabricPorts), () => true),
        mixed,
    );
    expect(found.map(({ file, problem }) => [file, problem])).toEqual([
        ["spark-2", `${p1} has MTU 1500, spark-1 has 9000`],
    ]);
});

test.each<[string, Partial<NodeFacts>, string]>([
    ["no address", { interfaces: [] }, `${p1} has no IPv4 address`],
    [
        "link down",
        { interfaces: both[0]!.interfaces!.map((each) => ({ ...each, up: false })) },
        `${p1} is down`,
    ],
    [
        "no GID",
        { rdma: both[0]!.rdma.map((each) => ({ ...each, gids: [] })) },
        "it has no RoCE v2 GID for 192.168.100.1",
    ],
    [
        "no interface",
        { rdma: both[0]!.rdma.map((each) => ({ ...each, interfaces: [] })) },
        "no network interface belongs to it",
    ],
])("left out for its own facts: %s", (_, change, reason) => {
    const { leftOut } = fabricPorts({ ...both[0]!, ...change });
    expect(leftOut.find(({ device }) => device === "rocep1s0f1")?.reason).toBe(reason);
});

test("what only a tool told has no GIDs to look at", () => {
    const rdma = both[0]!.rdma.map((each) => ({
        ...each,
        state: "ACTIVE",
        gids: [],
        tool: "rdma link",
    }));
    expect(fabricPorts({ ...both[0]!, rdma }).ports.map(({ device }) => device)).toEqual([
        "rocep1s0f1",
        "roceP2p1s0f1",
    ]);
});
