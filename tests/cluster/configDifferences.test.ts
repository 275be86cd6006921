import { configDifferences, type FoundNode, parseNodes } from "../../components/cluster";
import { file, issuesOf, pair } from "./configFixture";

const found: FoundNode = {
    node: "spark-1",
    home: "/home/nvidia",
    fabric: {
        address: "10.100.9.1",
        interface: "enp1s0f1np1",
        hcas: ["rocep1s0f1", "roceP2p1s0f1"],
        mtu: 9000,
    },
};
const node = { ...pair.nodes[0], fabric: { ...found.fabric } };
const told = (configured: object, change: Partial<FoundNode> = {}) =>
    configDifferences([configured], [{ ...found, ...change }]).map(({ key, from, to, needed }) => [
        needed ? "wrong" : "better",
        key.join("."),
        from,
        to,
    ]);

test.each<[string, object, Partial<FoundNode>, readonly unknown[]]>([
    ["all as it is", node, {}, []],
    [
        "the devices in another order",
        { ...node, fabric: { ...node.fabric, hcas: ["roceP2p1s0f1", "rocep1s0f1"] } },
        {},
        [],
    ],
    [
        "one of two devices",
        { ...node, fabric: { ...node.fabric, hcas: ["rocep1s0f1"] } },
        {},
        [["better", "fabric.hcas", ["rocep1s0f1"], ["rocep1s0f1", "roceP2p1s0f1"]]],
    ],
    [
        "a device that is not there",
        { ...node, fabric: { ...node.fabric, hcas: ["rocep1s0f0"] } },
        {},
        [["wrong", "fabric.hcas", ["rocep1s0f0"], ["rocep1s0f1", "roceP2p1s0f1"]]],
    ],
    [
        "another address",
        node,
        { fabric: { ...found.fabric!, address: "10.100.9.7" } },
        [["wrong", "fabric.address", "10.100.9.1", "10.100.9.7"]],
    ],
    [
        "no fabric yet",
        { name: "spark-1", host: "nvidia@spark-1", fabric: null },
        {},
        [
            ["wrong", "fabric.address", undefined, "10.100.9.1"],
            ["wrong", "fabric.interface", undefined, "enp1s0f1np1"],
            ["wrong", "fabric.hcas", undefined, ["rocep1s0f1", "roceP2p1s0f1"]],
            ["wrong", "fabric.mtu", undefined, 9000],
        ],
    ],
    [
        "an alias without a home",
        { ...node, host: "spark" },
        {},
        [["wrong", "home", undefined, "/home/nvidia"]],
    ],
    [
        "another home",
        { ...node, home: "/srv/x" },
        {},
        [["wrong", "home", "/srv/x", "/home/nvidia"]],
    ],
    [
        "a key that could be pinned",
        node,
        { hostKey: "ssh-ed25519 AA" },
        [["better", "hostKey", undefined, "ssh-ed25519 AA"]],
    ],
    [
        "a key that is pinned",
        { ...node, hostKey: "ssh-ed25519 AA" },
        { hostKey: "ssh-ed25519 AA" },
        [],
    ],
])("%s", (_, configured, change, expected) => {
    expect(told(configured, change)).toEqual(expected);
});

test("only what reaches the nodes is read; all of its mistakes at once", () => {
    const nodes = [
        { name: "spark-1", host: "nvidia@spark-1", fabric: { adress: 1 }, home: 7 },
        { name: "spark-2", host: "b" },
    ];
    const listed = parseNodes({ nodes, recipe: 5, masterPort: "x" }, { file });
    expect(listed.nodes.map(({ name, destination }) => [name, destination])).toEqual([
        ["spark-1", "nvidia@spark-1"],
        ["spark-2", "b"],
    ]);
    const text = parseNodes({ nodes: JSON.stringify(nodes) }, { file });
    expect([text.nodes, text.raw]).toEqual([listed.nodes, nodes]);
    const wrong = issuesOf(() =>
        parseNodes({ nodes: [{ name: "A", host: "x y" }, { host: "b" }] }, { file }),
    );
    expect(wrong.map(({ path }) => path)).toEqual([
        "nodes[0].name",
        "nodes[0].host",
        "nodes[1].name",
    ]);
    expect(issuesOf(() => parseNodes({ nodes: "a,b" }, { file })).map(({ path }) => path)).toEqual([
        "nodes",
    ]);
});
