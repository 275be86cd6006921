import fs from "node:fs";
import { parseFacts } from "../../components/cluster";
import { mountOf } from "../../components/cluster/factsMount";

const text = fs.readFileSync("tests/fixtures/facts/spark-1.json", "utf8");
const facts = parseFacts(text, { node: "spark-1", clock: 999_990 });

test("a node's own words become facts", () => {
    const { node, hostname, arch, user, uid, home, clockAhead } = facts;
    expect({ node, hostname, arch, user, uid, home, clockAhead }).toEqual({
        node: "spark-1",
        hostname: "spark-1",
        arch: "aarch64",
        user: "nvidia",
        uid: 1000,
        home: "/home/nvidia",
        clockAhead: 10,
    });
});

test("interfaces without an IPv4 address, which old iproute2 prints as {}, are left out", () => {
    expect(facts.interfaces?.map(({ name }) => name)).toEqual([
        "lo",
        "enP7s7",
        "enp1s0f1np1",
        "enP2p1s0f1np1",
    ]);
    expect(facts.interfaces?.[2]).toEqual({
        name: "enp1s0f1np1",
        mtu: 9000,
        up: true,
        addresses: [{ address: "192.168.100.1", prefix: 24 }],
    });
});

test("containers have their bare name, published ports, and no labels that they lack", () => {
    expect(facts.docker.containers).toEqual([
        {
            id: "a".repeat(64),
            name: "open-webui",
            image: "open-webui:main",
            running: true,
            status: "Up 3 days",
            network: "bridge",
            publishedPorts: [3000],
        },
    ]);
    expect(facts.docker.runtimes).toEqual(["io.containerd.runc.v2", "nvidia", "runc"]);
});

test.each([
    ["", []],
    ["8080/tcp", []],
    [
        "0.0.0.0:80->8080/tcp, [::]:80->8080/tcp, 127.0.0.1:9000-9002->9000-9002/tcp",
        [80, 9000, 9001, 9002],
    ],
])("published ports of %j", (ports, expected) => {
    const raw = JSON.parse(text) as { docker: { containers: object[] } };
    raw.docker.containers = [{ ...raw.docker.containers[0], ports }];
    const { docker } = parseFacts(JSON.stringify(raw), { node: "spark-1", clock: 0 });
    expect(docker.containers[0]?.publishedPorts).toEqual(expected);
});

test("what a node is, and which way it goes to others", () => {
    const { os, memlock, route, capable, docker } = facts;
    expect({ os, memlock, route, capable, runtime: docker.defaultRuntime }).toEqual({
        os: "Ubuntu 24.04.3 LTS",
        memlock: { user: "8192", docker: "unlimited" },
        route: { interface: "enP7s7", gateway: "192.168.1.1" },
        capable: { enp1s0f1np1: 200_000 },
        runtime: "runc",
    });
});

test("refs/main is kept to the byte, config.json is read", () => {
    expect(facts.hub?.main).toBe("86f746b36186f0e567729a5c06a8c918caba82a9");
    expect(facts.hub?.snapshot?.config).toEqual({
        model_type: "deepseek_v4",
        n_predict: 3,
        rms_norm_eps: 1e-20,
    });
});

test.each([
    ["/mnt/nas/ai/huggingface", "nfs4"],
    ["/mnt/nas/ai", "nfs4"],
    ["/mnt/nas/air", "ext4"],
    ["/media/My Disk/x", "vfat"],
    ["/home", "ext4"],
])("%s lies on %s", (path, type) => {
    expect(mountOf(facts, path)?.type).toBe(type);
});

test("a later mount at the same point hides the earlier one", () => {
    const over = { point: "/mnt/nas/ai", type: "autofs", source: "x", options: "" };
    const hidden = { ...facts, mounts: [over, ...facts.mounts] };
    expect(mountOf(hidden, "/mnt/nas/ai/x")?.type).toBe("nfs4");
    expect(mountOf({ ...facts, mounts: [...facts.mounts, over] }, "/mnt/nas/ai/x")?.type).toBe(
        "autofs",
    );
});

test.each(["", "{}", '{"format":2}', "Welcome!"])("%j is refused", (other) => {
    expect(() => parseFacts(other, { node: "spark-1", clock: 0 })).toThrow(SyntaxError);
});
