import { checkFacts, type NodeFacts } from "../../components/cluster";
import { base, type Change, fabricInterface, found, plan, worker } from "./rulesFixture";

const interfaceOf = (name: string) => base.interfaces!.find((each) => each.name === name)!;
/** The second node as it would tell of itself. */
const second: NodeFacts = {
    ...base,
    node: "spark-2",
    hostname: "spark-2",
    bootId: "other",
    interfaces: [
        { ...interfaceOf("enp1s0f1np1"), addresses: [{ address: "192.168.100.2", prefix: 24 }] },
    ],
};

const together = (head: Partial<NodeFacts>, other: Partial<NodeFacts>, planChange = {}) =>
    checkFacts(
        { ...plan, ...planChange },
        [
            { ...base, ...head },
            { ...second, ...other },
        ],
        "g1",
    )
        .filter(({ code }) => code === "fabric")
        .map(
            ({ file, path, problem, severity }) => `${severity} ${file ?? ""} ${path}: ${problem}`,
        );

test("the prefix decides whether two addresses meet", () => {
    const narrow = (facts: NodeFacts, address: string) => ({
        interfaces: facts.interfaces!.map((each) =>
            each.name === "enp1s0f1np1" ? { ...each, addresses: [{ address, prefix: 30 }] } : each,
        ),
    });
    expect(together(narrow(base, "192.168.100.1"), narrow(second, "192.168.100.2"))).toEqual([]);
    const nodes = [
        plan.nodes[0]!,
        { ...worker, fabric: { ...worker.fabric, address: "192.168.100.5" } },
    ];
    const apart = narrow(second, "192.168.100.5");
    expect(together(narrow(base, "192.168.100.1"), apart, { nodes })).toEqual([
        "error spark-2 fabric-subnet: enp1s0f1np1 is in 192.168.100.4/30, the fabric of spark-1 is 192.168.100.0/30",
    ]);
});

test("a link-local address: a warning with the netplan to write, in a subnet that is free", () => {
    const address = "169.254.7.1";
    const node = { ...plan.nodes[0]!, fabric: { ...plan.nodes[0]!.fabric!, address } };
    const facts = fabricInterface({ addresses: [{ address, prefix: 16 }] })(base);
    const issues = checkFacts({ ...plan, nodes: [node, worker] }, [{ ...base, ...facts }], "g1");
    expect(issues.filter(({ path }) => path === "fabric-link-local")).toEqual([
        {
            code: "fabric",
            severity: "warning",
            file: "spark-1",
            path: "fabric-link-local",
            problem: "169.254.7.1 is link-local: it may be another one after a restart",
            expected: "a fixed address",
            fix:
                "write `network: {version: 2, ethernets: {enp1s0f1np1: {addresses: [192.168.100.1/24], mtu: 9000}}}` to " +
                "/etc/netplan/60-enp1s0f1np1.yaml, `sudo netplan apply`, then run discover",
        },
    ]);
});

test("two ports in one subnet", () => {
    const change: Change = (facts) => ({
        interfaces: facts.interfaces!.map((each) =>
            each.name === "enP2p1s0f1np1"
                ? { ...each, addresses: [{ address: "192.168.100.11", prefix: 24 }] }
                : each,
        ),
    });
    expect(found(change)).toEqual([
        "warning fabric fabric-one-interface: enP2p1s0f1np1 is in the subnet of enp1s0f1np1 (192.168.100.0/24): traffic takes either",
    ]);
});

test.each([
    [
        100_000,
        200_000,
        [
            "warning spark-1 fabric-speed: enp1s0f1np1 runs at 100 Gbit/s, all nodes could do 200 Gbit/s",
        ],
    ],
    [100_000, 100_000, []],
    [200_000, 200_000, []],
])("a link at %i where the other end could do %i", (now, able, expected) => {
    const speeds = { enp1s0f1np1: now };
    expect(together({ speeds }, { capable: { enp1s0f1np1: able } })).toEqual(expected);
    expect(together({ speeds }, { capable: {} })).toEqual([]);
});

test("ports that do not open are told of at the node that should open them", () => {
    const tcp = [
        { address: "192.168.100.2", port: 40_000, state: "silent" as const },
        { address: "192.168.100.2", port: 29_501, state: "refused" as const },
    ];
    const open = [{ address: "192.168.100.1", port: 40_000, state: "open" as const }];
    expect(together({ tcp }, { tcp: open })).toEqual([
        "error spark-2 fabric-tcp: TCP to 192.168.100.2 does not open, though a ping passes: spark-1 to port 40000 (no answer), 29501 (refused)",
    ]);
    expect(together({ tcp: "unable" }, {})).toEqual([
        "warning spark-1 fabric-tcp: TCP over the fabric was not tried: the node has no Perl",
    ]);
});
