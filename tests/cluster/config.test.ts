import { ownKeys, parseCluster } from "../../components/cluster";
import { asEngine, file, pair, problems, second } from "./configFixture";

test("defaults are filled in, homes follow from the users", () => {
    const { nas, ...cluster } = parseCluster(pair, { file });
    expect(nas.fsTypes.slice(0, 5)).toEqual(["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs"]);
    expect(cluster).toEqual({
        file,
        recipe: "dsv4-flash-vision",
        nodes: pair.nodes.map(({ host, ...node }) => ({
            ...node,
            destination: host,
            home: "/home/nvidia",
            env: {},
            mounts: [],
        })),
        api: { port: 8000, bind: "127.0.0.1", open: false },
        masterPort: 29501,
        model: {},
        weights: { location: "nas", prefetch: false },
        image: {
            ...{ platform: "linux/arm64", strategy: "per-node", pull: "digest" },
            ...{ mirrors: [], retain: 3, allowUnpinnedBase: false },
        },
        caches: { onImageChange: "fresh" },
        launch: {
            timeoutSeconds: 3600,
            completionTimeoutSeconds: 120,
            stallSeconds: 300,
            takeOver: false,
            dropCaches: false,
            longPromptFraction: 0,
            soakMinutes: 0,
        },
        checks: { ignore: [] },
        purge: [],
        hasApiKey: false,
        hasHuggingFaceToken: false,
    });
});

test("the engine's texts and the file's types give the same cluster", () => {
    const raw = {
        ...pair,
        api: { port: 9000, bind: "0.0.0.0" },
        masterPort: 29600,
        model: { revision: "86f746b36186f0e567729a5c06a8c918caba82a9" },
        sshConfig: ".lab/ssh_config",
    };
    const fromFile = parseCluster({ ...raw, apiKey: { secure: "v1:abc" } }, { file });
    const fromEngine = parseCluster(asEngine({ ...raw, apiKey: "hunter2" }), { file });
    expect(fromEngine).toEqual(fromFile);
    expect(fromFile.hasApiKey).toBe(true);
    expect(JSON.stringify([fromFile, fromEngine])).not.toMatch(/hunter2|v1:abc/);
});

test.each([
    ["root@spark-2", { destination: "root@spark-2", home: "/root" }],
    ["ops.x@10.0.0.2:2222", { destination: "ops.x@10.0.0.2", port: 2222, home: "/home/ops.x" }],
    ["spark_2", { destination: "spark_2" }],
])("host %s", (host, expected) => {
    const { name, destination, port, home } = parseCluster(second({ host }), { file }).nodes[1]!;
    expect(name).toBe("spark-2");
    expect({ destination, port, home }).toEqual({ port: undefined, home: undefined, ...expected });
});

test("a node's own home wins; its variables, mounts and key are kept", () => {
    const hostKey = `ssh-ed25519 ${"A".repeat(68)}`;
    const own = {
        home: "/srv/b",
        hostKey,
        env: { NCCL_DEBUG: "INFO" },
        mounts: [{ host: "~/x", container: "/x", env: "X_DIR", read_only: true }],
    };
    expect(parseCluster(second(own), { file }).nodes[1]).toMatchObject({
        ...own,
        mounts: [{ host: "~/x", container: "/x", env: "X_DIR", readOnly: true }],
    });
});

test("ownKeys takes the project's keys alone, in both of the engine's spellings", () => {
    expect(
        ownKeys({ "spark-vllm:recipe": "a", "spark-vllm:config:api": "b", "docker:host": "c" }),
    ).toEqual({ recipe: "a", api: "b" });
});

test.each<[string, Record<string, unknown>, string[]]>([
    ["nodes as one text", { ...pair, nodes: "a,b" }, ['nodes: "a,b"']],
    ["nodes empty", { ...pair, nodes: [] }, ["nodes: an empty list"]],
    ["nothing", {}, ["recipe: missing", "nodes: missing"]],
    ["a node as a text", { ...pair, nodes: ["spark-1"] }, ['nodes[0]: "spark-1"']],
    [
        "one node twice",
        { ...pair, nodes: [pair.nodes[0], pair.nodes[0]] },
        [
            'nodes[1].name: "spark-1" is also the name of nodes[0]',
            'nodes[1].host: "nvidia@spark-1" is also the host of nodes[0]',
            'nodes[1].fabric.address: "10.100.9.1" is also the fabric address of nodes[0]',
        ],
    ],
    [
        "a reserved name",
        second({ name: "a-rank" }),
        ['nodes[1].name: "a-rank" is a name of the program\'s own'],
    ],
    ["a capital", second({ name: "Spark" }), ['nodes[1].name: "Spark"']],
])("%s", (_, raw, expected) => {
    expect(problems(raw)).toEqual(expected);
});

test.each([
    "nvidia@spark-1 ",
    " spark-2",
    "nvidia@spark-1:",
    "nvidia@spark-1:x",
    "spark-2:22",
    "ssh://nvidia@spark-2",
    "fd00::2",
    "nvidia@[fd00::2]:22",
    "-oProxyCommand=x",
    "nvidia@-x",
    "a b",
    "a,b",
])("host %j is no destination", (host) => {
    expect(problems(second({ host }))).toEqual([`nodes[1].host: ${JSON.stringify(host)}`]);
});

test("a port beyond the last", () => {
    expect(problems(second({ host: "a@b:65536" }))).toEqual([
        'nodes[1].host: "a@b:65536" has port 65536',
    ]);
});

test.each([
    ["address", "fd00::1", '"fd00::1"'],
    ["address", "10.100.9.1/24", '"10.100.9.1/24"'],
    ["address", "10.100.09.1", '"10.100.09.1"'],
    ["address", "10.100.9.", '"10.100.9."'],
    ["address", "127.0.0.1", '"127.0.0.1" leads to no other machine'],
    ["interface", "enp1s0f1np1-too-long", '"enp1s0f1np1-too-long"'],
    ["hcas", [], "an empty list"],
    ["hcas", "rocep1s0f1", '"rocep1s0f1"'],
    ["mtu", "9000", '"9000"'],
    ["mtu", 100, "100"],
])("fabric.%s %j", (key, value, problem) => {
    const fabric = { ...pair.nodes[1]!.fabric, [key]: value };
    expect(problems(second({ fabric }))).toEqual([`nodes[1].fabric.${key}: ${problem}`]);
});

test.each([
    [{ masterPort: 0 }, "masterPort: 0"],
    [{ masterPort: 65536 }, "masterPort: 65536"],
    [{ masterPort: "x" }, 'masterPort: "x"'],
    [{ masterPort: 8000 }, "masterPort: 8000 is also api.port"],
    [{ api: { bind: "localhost" } }, 'api.bind: "localhost"'],
    [{ api: { bind: "::" } }, 'api.bind: "::"'],
    [
        { api: { bind: "0.0.0.0" } },
        "api.bind: 0.0.0.0 lets anyone who reaches the head use the API without a key",
    ],
    [{ api: "8000" }, "api: 8000"],
    [{ model: { revision: "main" } }, 'model.revision: "main"'],
    [{ model: { revision: "A".repeat(40) } }, `model.revision: "${"A".repeat(40)}"`],
    [{ image: { platform: "linux/arm" } }, 'image.platform: "linux/arm"'],
    [{ weights: { path: "~/hub" } }, 'weights.path: "~/hub"'],
    [{ checks: { ignore: [{ id: "fabric-mtu" }] } }, "checks.ignore[0].reason: missing"],
    [
        { checks: { ignore: [{ id: "fabric-mtus", reason: "why" }] } },
        'checks.ignore[0].id: "fabric-mtus"',
    ],
    [{ launch: { timeoutSeconds: 1.5 } }, "launch.timeoutSeconds: 1.5"],
    [{ apiKey: "" }, "apiKey: not usable as it is (value not shown)"],
])("%j", (change, problem) => {
    const [found] = problems({ ...pair, ...change });
    expect(found).toBe(problem);
});

test.each([
    [{ bind: "0.0.0.0", open: true }, undefined],
    [{ bind: "127.0.0.2" }, undefined],
    [{ bind: "10.0.0.1" }, "a key"],
])("api %j with key %j is accepted", (api, apiKey) => {
    const raw = { ...pair, api, ...(apiKey === undefined ? {} : { apiKey }) };
    expect(parseCluster(raw, { file }).api).toEqual({ port: 8000, open: false, ...api });
});

test.each([
    ["VLLM_PORT", "no such variable: it is a base for inner sockets; the API's port is api.port"],
    ["NCCL_IB_HCA", "the program sets it from fabric.hcas"],
    ["HF_TOKEN", "the secret huggingFaceToken"],
])("variable %s of a node", (name, expected) => {
    const raw = second({ env: { [name]: "" } });
    expect(() => parseCluster(raw, { file })).toThrow(
        expect.objectContaining({
            issues: [expect.objectContaining({ path: `nodes[1].env.${name}`, expected })],
        }) as Error,
    );
});

test("a spare node is refused, not ignored", () => {
    expect(problems(second({ spare: true }))).toEqual([
        "nodes[1].spare: true: this version does not do that yet",
    ]);
});

test.each([
    [
        { image: { registry: { server: "ghcr.io", username: "me" } } },
        "image.registry: no password for me",
    ],
    [
        { registryPassword: { secure: "v1:x" } },
        "registryPassword: set, but image.registry does not say where and whose it is",
    ],
])("a login has two halves: %j", (half, problem) => {
    expect(problems({ ...pair, ...half })).toEqual([problem]);
});
