import type { NodeFacts } from "../components/cluster";
import type { StackPlan } from "../components/plan";

const gib = (kib: number | undefined) =>
    kib === undefined ? "unknown" : `${String(Math.round(kib / 2 ** 20))} GiB`;

type Node = StackPlan["nodes"][number];
/** One line of the table: a name and what a node shows. */
type Row = readonly [string, (facts: NodeFacts, node: Node, plan: StackPlan) => string];

function fabric({ interfaces = [], rdma }: NodeFacts, { fabric: wanted }: Node): string {
    if (wanted === undefined) return "none";
    const found = interfaces.find(({ name }) => name === wanted.interface);
    const addresses = found?.addresses.map(({ address }) => address).join(" ") ?? "absent";
    const ports = wanted.hcas.map((name) => {
        const state = rdma.find((each) => each.name === name)?.state ?? "absent";
        return `${name} ${state.replace(/^\d+: /, "")}`;
    });
    const mtu = found === undefined ? "" : `, MTU ${String(found.mtu)}`;
    return [`${wanted.interface} ${addresses}${mtu}`, ...ports].join("\n");
}

function weights({ hub }: NodeFacts): string {
    if (hub === undefined) return "none mounted";
    if (hub.snapshot === undefined) return hub.state === "present" ? "no snapshot" : hub.state;
    const { revision, shards, sizes } = hub.snapshot;
    const whole = shards.filter((name) => sizes[name] !== undefined).length;
    return `${revision.slice(0, 12)}, ${String(whole)} of ${String(shards.length)} shards`;
}

function ranks({ docker }: NodeFacts, _node: Node, { stack }: StackPlan): string {
    const names = docker.containers
        .filter((container) => container.stack === stack)
        .map(({ name, status }) => `${name}: ${status}`);
    return names.join("\n") || "none";
}

const rows: readonly Row[] = [
    ["host", ({ user, hostname }) => `${user}@${hostname}`],
    ["system", ({ arch, kernel }) => `${arch}, ${kernel}`],
    ["docker", ({ docker }) => docker.version ?? "no answer"],
    [
        "memory",
        ({ memory }) => `${gib(memory["MemAvailable"])} of ${gib(memory["MemTotal"])} available`,
    ],
    ["disk", ({ docker }) => `${gib(docker.space?.freeKib)} free for images`],
    ["fabric", fabric],
    ["weights", weights],
    ["ranks", ranks],
];

/** What each node is, side by side; a node that did not answer has no column. */
export async function doctorPage(plan: StackPlan, all: readonly NodeFacts[]): Promise<string> {
    const { default: Table } = await import("cli-table3");
    const columns = plan.nodes.flatMap((node) => {
        const facts = all.find((each) => each.node === node.name);
        return facts === undefined ? [] : [{ node, facts }];
    });
    const table = new Table({
        head: ["", ...columns.map(({ node }) => node.name)],
        style: { head: [], border: [], compact: true },
    });
    for (const [title, show] of rows) {
        table.push([title, ...columns.map(({ node, facts }) => show(facts, node, plan))]);
    }
    return columns.length === 0 ? "no node answered" : table.toString();
}
