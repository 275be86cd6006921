import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { parse } from "yaml";

import { labConfig, onNode, root } from "./lab";
import { type LabNode, nodesWith, spark, StackFile, traces } from "./nodeFaults";
import { closeShared } from "./ssh/testSshd";

// discover on two simulated nodes: what it finds, leaves out, writes, and that it changes nothing on a node.
jest.setTimeout(120_000);

const file = new StackFile("lab-discover");
const [one, two] = ["spark-1", "spark-2"];
const nodes = () => labConfig()["nodes"] as readonly LabNode[];
const fabricOf = (index: number) => nodes()[index]?.fabric;

/** In the shell of a node's own start script. */
const inNode = (line: string) =>
    `bash -c '. /usr/local/lib/spark/rdma.sh; ip() { command ip "$@"; }; ${line}'`;
/** A second active port with an address. */
const secondPort = (address: string) =>
    `ip link add enp1s0f0np0 type veth peer name elsewhere; ip link set elsewhere up; ip addr add ${address}/24 dev enp1s0f0np0; ip link set enp1s0f0np0 up; ` +
    inNode(`hca rocep1s0f0 enp1s0f0np0 "4: ACTIVE" "5: LinkUp" ${address}`);
const noSecondPort = `ip link del enp1s0f0np0; ${inNode('hca rocep1s0f0 enp1s0f0np0 "1: DOWN" "3: Disabled" ""')}`;

interface Found {
    readonly nodes: readonly {
        readonly node: string;
        readonly fabric: object;
        readonly home: string;
        readonly hostKey: string;
        readonly leftOut: readonly { readonly device: string; readonly reason: string }[];
    }[];
    readonly differences: readonly {
        readonly index: number;
        readonly key: readonly string[];
        readonly needed: boolean;
    }[];
}

async function discover(...words: readonly string[]) {
    const { out, code, err } = await spark("discover", "--stack", file.stack, "--json", ...words);
    const found = JSON.parse(out) as Partial<Found>;
    if (found.nodes === undefined) throw new Error(`discover found nothing:\n${out}${err}`);
    return { code, err, ...(found as Found) };
}

const reasons = (found: Found) =>
    found.nodes.map(({ leftOut }) => leftOut.map(({ device, reason }) => `${device}: ${reason}`));

afterAll(() => {
    file.remove();
});

test("without a fabric in the file: found, shown, written, and then it matches", async () => {
    const bare = nodes().map(({ name, host }) => ({ name, host }));
    file.write({ nodes: bare });
    const before = await traces();
    const first = await discover();
    expect(first.code).toBe(1);
    expect(first.nodes.map(({ node, fabric, home }) => ({ node, fabric, home }))).toEqual(
        nodes().map(({ name, fabric }) => ({ node: name, fabric, home: "/root" })),
    );
    expect(reasons(first)).toEqual([
        [`rocep1s0f0: its port is DOWN`],
        [`rocep1s0f0: its port is DOWN`],
    ]);
    expect((await discover("--write")).code).toBe(0);
    const { config } = parse(readFileSync(file.path, "utf8")) as {
        config: Record<string, unknown>;
    };
    expect(config["spark-vllm:nodes"]).toEqual(
        first.nodes.map(({ node, fabric, home, hostKey }) => ({
            name: node,
            host: node,
            home,
            hostKey,
            fabric,
        })),
    );
    const keys = await Promise.all(
        [one, two].map((node) =>
            onNode(node, "ssh-keygen -y -f /var/lib/spark/host_key | cut -d' ' -f1,2"),
        ),
    );
    expect(first.nodes.map(({ hostKey }) => hostKey)).toEqual(keys);
    const again = await discover();
    expect([again.code, again.differences]).toEqual([0, []]);
    expect(await traces()).toBe(before);
});

test("a second active port counts only when it leads to all: other subnet, then no answer", async () => {
    file.write();
    await onNode(one, secondPort("10.77.0.1"));
    try {
        const elsewhere = await discover();
        expect(elsewhere.nodes.map(({ fabric }) => fabric)).toEqual([fabricOf(0), fabricOf(1)]);
        expect(reasons(elsewhere)[0]).toEqual([
            "rocep1s0f0: spark-2 has no active port in 10.77.0.0/24",
        ]);
        await onNode(two, secondPort("10.77.0.2"));
        try {
            const silent = await discover();
            expect(silent.nodes.map(({ fabric }) => fabric)).toEqual([fabricOf(0), fabricOf(1)]);
            expect(reasons(silent)).toEqual([
                ["rocep1s0f0: spark-2 does not answer on it"],
                ["rocep1s0f0: spark-1 does not answer on it"],
            ]);
        } finally {
            await onNode(two, noSecondPort);
        }
    } finally {
        await onNode(one, noSecondPort);
    }
});

test("the cable in another port of one node: that node's own names", async () => {
    const to =
        "ip link set enp1s0f1np1 down; ip link set enp1s0f1np1 name enp1s0f0np0; ip link set enp1s0f0np0 up";
    const back =
        "ip link set enp1s0f0np0 down; ip link set enp1s0f0np0 name enp1s0f1np1; ip link set enp1s0f1np1 up";
    const address = String(fabricOf(1)?.["address"]);
    file.write();
    await onNode(
        two,
        `touch /run/cut; ${to}; ${inNode(`hca rocep1s0f0 enp1s0f0np0 "4: ACTIVE" "5: LinkUp" ${address}`)}; ` +
            "echo '1: DOWN' >/run/spark-lab/infiniband/rocep1s0f1/ports/1/state",
    );
    try {
        const moved = await discover("--write");
        expect(moved.nodes.map(({ fabric }) => fabric)).toEqual([
            fabricOf(0),
            { address, interface: "enp1s0f0np0", hcas: ["rocep1s0f0"], mtu: 9000 },
        ]);
        expect(
            moved.differences
                .filter(({ needed }) => needed)
                .map(({ index, key }) => `${String(index)} ${key.join(".")}`),
        ).toEqual(["1 fabric.interface", "1 fabric.hcas"]);
        const plan = await spark("plan", "--stack", file.stack, "--json");
        const { nodes: planned } = JSON.parse(plan.out) as {
            nodes: { rank: { env: Record<string, string> } }[];
        };
        expect(
            planned.map(({ rank }) => [rank.env["NCCL_SOCKET_IFNAME"], rank.env["NCCL_IB_HCA"]]),
        ).toEqual([
            [expect.stringContaining("enp1s0f1np1"), expect.stringContaining("rocep1s0f1")],
            [expect.stringContaining("enp1s0f0np0"), expect.stringContaining("rocep1s0f0")],
        ]);
        expect((await spark("doctor", "--stack", file.stack)).code).toBe(0);
    } finally {
        await onNode(
            two,
            `${back}; rm /run/cut; ${inNode('hca rocep1s0f0 enp1s0f0np0 "1: DOWN" "3: Disabled" ""')}; ` +
                "echo '4: ACTIVE' >/run/spark-lab/infiniband/rocep1s0f1/ports/1/state",
        );
    }
});

test("where sysfs shows nothing, ibdev2netdev tells", async () => {
    const [tool, prints] = ["ibdev2netdev", "echo 'rocep1s0f1 port 1 ==> enp1s0f1np1 (Up)'"];
    const write = (name: string, line: string) =>
        `cp -P /usr/local/bin/${name} /run/${name}.kept 2>/dev/null; rm -f /usr/local/bin/${name}; ` +
        `printf '#!/bin/sh\\n%s\\n' "${line}" >/usr/local/bin/${name}; chmod +x /usr/local/bin/${name}`;
    const restore = (name: string) =>
        `rm -f /usr/local/bin/${name}; [ ! -L /run/${name}.kept ] || mv /run/${name}.kept /usr/local/bin/${name}`;
    const quiet = write("rdma", "true");
    await Promise.all(
        [one, two].map((node) =>
            onNode(
                node,
                `mount -t tmpfs none /sys/class/infiniband; ${quiet}; ${write(tool, prints)}`,
            ),
        ),
    );
    try {
        file.write();
        const found = await discover();
        expect([found.code, found.nodes.map(({ fabric }) => fabric)]).toEqual([
            0,
            [fabricOf(0), fabricOf(1)],
        ]);
    } finally {
        await Promise.all(
            [one, two].map((node) =>
                onNode(node, `umount /sys/class/infiniband; ${restore("rdma")}; ${restore(tool)}`),
            ),
        );
    }
});

test("a node that does not answer: nothing is chosen, nothing written", async () => {
    file.write({ nodes: nodesWith({ host: "root@no-such-host.invalid" }) });
    const before = readFileSync(file.path, "utf8");
    const { code, err } = await spark("discover", "--stack", file.stack, "--write");
    expect(code).toBe(1);
    expect(err).toContain("spark-2  the name in root@no-such-host.invalid does not resolve");
    expect(err).toContain("Nothing was changed.");
    expect(readFileSync(file.path, "utf8")).toBe(before);
});

test("an unknown host key is never taken on trust", async () => {
    const config = labConfig()["sshConfig"] as string;
    // A connection that was trusted before would still be shared.
    for (const { name, host } of nodes()) {
        closeShared({ name, ssh: { destination: host, config: path.join(root, config) } });
    }
    const folder = mkdtempSync(path.join(tmpdir(), "spark-unknown-"));
    const text = readFileSync(path.join(root, config), "utf8");
    const stranger = path.join(folder, "config");
    writeFileSync(stranger, text.replace(/^( *UserKnownHostsFile).*$/gm, "$1 /dev/null"));
    try {
        file.write({ sshConfig: stranger });
        const { code, err } = await spark("discover", "--stack", file.stack, "--write");
        expect(code).toBe(1);
        expect(err).toMatch(
            /^spark-1 {2}the host key of spark-1 is not known: it offers SHA256:\S{43}$/m,
        );
        expect(err).toContain("compare the fingerprint at the node, then `ssh spark-1` once");
    } finally {
        rmSync(folder, { recursive: true });
    }
});
