import { conclusive, type NodeFacts, parseTcp, tcpQuestions } from "../../components/cluster";
import { base, own, plan } from "./rulesFixture";

const at = (address: string) =>
    base.interfaces!.map((each) =>
        each.name === "enp1s0f1np1" ? { ...each, addresses: [{ address, prefix: 24 }] } : each,
    );
const second: NodeFacts = {
    ...base,
    node: "spark-2",
    interfaces: at("192.168.100.2"),
    peers: { "192.168.100.1": true },
};
const [one, two] = ["192.168.100.1", "192.168.100.2"];

test("the head's rendezvous port, and one more both ways", () => {
    expect(tcpQuestions(plan, [base, second], 40_000)).toEqual([
        {
            node: "spark-1",
            from: one,
            listen: [
                { address: one, port: 40_000 },
                { address: one, port: 29_501 },
            ],
            connect: [{ address: two, port: 40_000 }],
            guests: 1,
        },
        {
            node: "spark-2",
            from: two,
            listen: [{ address: two, port: 40_000 }],
            connect: [
                { address: one, port: 40_000 },
                { address: one, port: 29_501 },
            ],
            guests: 1,
        },
    ]);
});

test("beside a running group nobody listens on its port, and it is asked only when it answers", () => {
    const busy = { ...base, docker: { ...base.docker, containers: [own] } };
    const listeners = [{ address: one, port: 29_501, process: "", pid: 0, container: "" }];
    const ports = (head: NodeFacts) =>
        tcpQuestions(plan, [head, second], 40_000).map(({ listen, connect, guests }) => [
            listen.map(({ port }) => port),
            connect.map(({ port }) => port),
            guests,
        ]);
    expect(ports({ ...busy, listeners })).toEqual([
        [[40_000], [40_000], 1],
        [[40_000], [40_000, 29_501], 1],
    ]);
    expect(ports(busy)).toEqual([
        [[40_000], [40_000], 1],
        [[40_000], [40_000], 1],
    ]);
});

test("nor beside a worker whose head is gone, nor where Docker does not tell", () => {
    const listened = (change: Partial<NodeFacts["docker"]>) => {
        const other = { ...second, docker: { ...second.docker, ...change } };
        return tcpQuestions(plan, [base, other], 40_000).map(({ listen, connect }) =>
            [...listen, ...connect].map(({ port }) => port).includes(29_501),
        );
    };
    expect(listened({ containers: [{ ...own, running: false }] })).toEqual([true, true]);
    expect(listened({ containers: [own] })).toEqual([false, false]);
    expect(listened({ error: "no answer" })).toEqual([false, false]);
});

test("a refusal tells something only where the program itself listened, and a silence always", () => {
    const running = {
        ...base,
        docker: { ...base.docker, containers: [own] },
        listeners: [{ address: one, port: 29_501, process: "", pid: 0, container: "" }],
    };
    const tried = (["refused", "silent", "open"] as const).map((state) => [
        { address: one, port: 40_000, state },
        { address: one, port: 29_501, state },
    ]);
    const told = (head: NodeFacts, busy: readonly { address: string; port: number }[] = []) =>
        tried.map((each) =>
            conclusive(each, tcpQuestions(plan, [head, second], 40_000), busy).map(
                ({ port }) => port,
            ),
        );
    const both = [40_000, 29_501];
    expect(told(base)).toEqual([both, both, both]);
    expect(told(running)).toEqual([[40_000], both, both]);
    expect(told(base, [{ address: one, port: 40_000 }])).toEqual([[29_501], [29_501], [29_501]]);
});

test("where a ping does not pass or the address is gone, nothing is tried", () => {
    const deaf = { ...second, peers: { [one]: false } };
    const [head, other] = tcpQuestions(plan, [base, deaf], 40_000);
    expect([head?.guests, head?.connect.length, other?.guests, other?.connect]).toEqual([
        ...[0, 1, 1, []],
    ]);
    expect(tcpQuestions(plan, [base, { ...second, interfaces: [] }], 40_000)).toHaveLength(1);
    expect(tcpQuestions(plan, [base], 40_000)).toHaveLength(1);
});

test("what a node printed", () => {
    const text =
        "open 10.0.0.2 1\nsilent 10.0.0.2 2\nbusy 10.0.0.1 3\nWelcome\nrefused 10.0.0.3 4\n";
    expect(parseTcp(text)).toEqual({
        tried: [
            { address: "10.0.0.2", port: 1, state: "open" },
            { address: "10.0.0.2", port: 2, state: "silent" },
            { address: "10.0.0.3", port: 4, state: "refused" },
        ],
        busy: [{ address: "10.0.0.1", port: 3 }],
    });
});
