import { type Issue, RecipeError } from "../../components/issue";
import { planStack, type PlanInput } from "../../components/plan";
import { seedInput, seedWith, withSecond } from "./seed";

const input = seedInput();
const pair = input.cluster.nodes;
const [seed, second] = [seedWith, withSecond];
const ranks = (from: PlanInput) => planStack(from).nodes.map(({ rank }) => rank);

function issuesOf(from: PlanInput): readonly Issue[] {
    try {
        planStack(from);
    } catch (error) {
        if (error instanceof RecipeError) return error.issues;
        throw error;
    }
    return [];
}

describe("argv", () => {
    test("the model comes first, and only once when the recipe's args name it too", () => {
        const { model } = input.recipe;
        expect(ranks(input)[0]!.command.slice(0, 3)).toEqual(["vllm", "serve", model]);
        const { command } = ranks(seedWith({ args: ["--model", model] }))[0]!;
        expect(command.slice(0, 4)).toEqual(["vllm", "serve", "--model", model]);
        expect(command.filter((word) => word === model)).toHaveLength(1);
    });

    const own = ["--nnodes", "--node-rank", "--master-addr", "--master-port"];
    const flags = (from: PlanInput, rank: number) => {
        const { command } = ranks(from)[rank]!;
        return command.slice(3 + from.recipe.args.length).filter((word) => word.startsWith("--"));
    };

    test.each<[string, readonly string[], readonly string[]]>([
        [
            "nothing given",
            [],
            [
                "--revision",
                "--tensor-parallel-size",
                "--pipeline-parallel-size",
                "--distributed-executor-backend",
            ],
        ],
        [
            "sizes and executor given",
            ["-tp", "2", "--pipeline_parallel_size=1", "--distributed-executor-backend", "mp"],
            ["--revision"],
        ],
        [
            "abbreviations, as the engine takes them",
            ["--tensor-par", "2", "--pipeline_p=1", "--distributed-exec", "mp"],
            ["--revision"],
        ],
        [
            "revision given",
            ["--revision=86f746b36186f0e567729a5c06a8c918caba82a9", "-tp=2", "-pp", "1"],
            ["--distributed-executor-backend"],
        ],
    ])("%s: added are the others", (_, args, added) => {
        expect(flags(seed({ args }), 0)).toEqual([...added, ...own, "--host", "--port"]);
        expect(flags(seed({ args }), 1)).toEqual([...added, ...own, "--headless"]);
    });

    test("the model comes before a flag that takes several words, whose words stay together", () => {
        const args = ["--served-model-name", "a", "b"];
        expect(ranks(seed({ args }))[0]!.command.slice(0, 7)).toEqual([
            ...["vllm", "serve", "deepseek-ai/DeepSeek-V4-Flash-Vision-Exp"],
            ...[...args, "--revision"],
        ]);
    });

    test("api and rendezvous follow the configuration", () => {
        const api = { port: 9000, bind: "0.0.0.0", open: true };
        const plan = planStack(seed({}, { api, masterPort: 29999 }));
        expect(plan.nodes[0]!.rank.command.slice(-8)).toEqual([
            ...["--master-addr", "192.168.100.1", "--master-port", "29999"],
            ...["--host", "0.0.0.0", "--port", "9000"],
        ]);
        expect(plan.api).toEqual({
            ...{ bind: "0.0.0.0", port: 9000, authenticated: false },
            endpoint: "http://spark-1:9000/v1",
        });
    });

    test("one node meets itself, without a fabric", () => {
        const [alone] = ranks(
            seed(
                { requiredNodes: 1, tensorParallelSize: 1 },
                { nodes: [{ name: "a", destination: "a", home: "/root", env: {}, mounts: [] }] },
            ),
        );
        expect(alone!.command.slice(-10)).toEqual([
            ...["--node-rank", "0", "--master-addr", "127.0.0.1", "--master-port", "29501"],
            ...["--host", "127.0.0.1", "--port", "8000"],
        ]);
        expect(Object.keys(alone!.env).filter((name) => /NCCL|IFNAME|HOST_IP/.test(name))).toEqual([
            "VLLM_HOST_IP",
        ]);
    });
});

describe("revision", () => {
    const other = "0".repeat(40);
    test.each([
        ["stack", { modelRevision: other }, input.cluster.model.revision, []],
        ["recipe", { modelRevision: other }, other, []],
        ["none", {}, undefined, ["unpinned-model"]],
    ])("of the %s", (from, recipe, revision, warnings) => {
        const plan = planStack(seed(recipe, from === "stack" ? {} : { model: {} }));
        expect(plan.model.revision).toBe(revision);
        expect(plan.warnings.map(({ code }) => code)).toEqual(warnings);
        for (const { rank } of plan.nodes) {
            const at = rank.command.indexOf("--revision");
            expect(at === -1 ? undefined : rank.command[at + 1]).toBe(revision);
        }
    });
});

describe("mounts and environment", () => {
    test("each node's own home", () => {
        const mounts = ranks(second({ home: "/srv/b" })).map((rank) => rank.mounts[1]!.hostPath);
        expect(mounts).toEqual([
            "/home/nvidia/.cache/dsv4vision-jit/triton",
            "/srv/b/.cache/dsv4vision-jit/triton",
        ]);
    });

    test("weights.path moves the hub, or adds it where the recipe mounts none", () => {
        const weights = { location: "local", path: "/data/hub", prefetch: false } as const;
        const moved = planStack(seed({}, { weights }));
        expect(moved.weights).toMatchObject({ location: "local", path: "/data/hub" });
        expect(moved.nodes[1]!.rank.mounts[0]).toEqual({
            ...{ hostPath: "/data/hub", containerPath: "/mnt/nas/ai/huggingface" },
            ...{ readOnly: false, kind: "weights" },
        });
        const [added] = ranks(seed({ mounts: [] }, { weights }));
        expect(added!.mounts.map(({ containerPath }) => containerPath)).toEqual(["/data/hub"]);
        expect(added!.env["HF_HOME"]).toBe("/data/hub");
        expect(planStack(seed({ mounts: [] })).weights.path).toBeUndefined();
    });

    test("kinds: below the home a cache, elsewhere a directory; the home itself is no cache", () => {
        const mount = (host: string, i: number) => ({
            host,
            container: `/m${String(i)}`,
            readOnly: true,
        });
        const hosts = ["~", "~/x", "/home/nvidia/y", "/home/nvidia2/y", "/srv"];
        const [rank] = ranks(seed({ mounts: hosts.map(mount) }));
        expect(rank!.mounts.map(({ hostPath, kind }) => [hostPath, kind])).toEqual([
            ["/home/nvidia", "directory"],
            ["/home/nvidia/x", "cache"],
            ["/home/nvidia/y", "cache"],
            ["/home/nvidia2/y", "directory"],
            ["/srv", "directory"],
        ]);
    });

    test("a node's additions stand before the program's variables, on that node alone", () => {
        const env = { NCCL_DEBUG: "INFO" };
        const mounts = [{ host: "/t", container: "/t", env: "T_DIR", readOnly: false }];
        const [head, worker] = ranks(second({ env, mounts }));
        expect(Object.keys(worker!.env).slice(-11)).toEqual([
            ...["VLLM_NO_USAGE_STATS", "HF_HOME", "T_DIR", "NCCL_DEBUG", "VLLM_HOST_IP"],
            ...["NCCL_IB_HCA", "NCCL_IB_ADDR_FAMILY", "NCCL_NET"],
            ...["NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", "TP_SOCKET_IFNAME"],
        ]);
        expect(head!.env).not.toHaveProperty("NCCL_DEBUG");
        expect(worker!.mounts.at(-1)!.containerPath).toBe("/t");
    });

    test("every device of a node, matched exactly; other names on the other node", () => {
        const fabric = { ...pair[1]!.fabric, interface: "ib9", hcas: ["mlx5_0", "mlx5_1"] };
        const [head, worker] = ranks(second({ fabric }));
        expect([head!.env["NCCL_IB_HCA"], worker!.env["NCCL_IB_HCA"]]).toEqual([
            "=rocep1s0f1",
            "=mlx5_0,mlx5_1",
        ]);
        expect(worker!.env["GLOO_SOCKET_IFNAME"]).toBe("ib9");
    });

    test("no fixed GID index and no VLLM_PORT", () => {
        for (const { env } of ranks(input)) {
            expect(env).not.toHaveProperty("NCCL_IB_GID_INDEX");
            expect(env).not.toHaveProperty("VLLM_PORT");
        }
    });
});

test.each([
    ["dsv4:local", "dsv4:local-1a2b3c4d5e6f"],
    ["dsv4", "dsv4:latest-1a2b3c4d5e6f"],
    ["nas:5000/ai/dsv4", "nas:5000/ai/dsv4:latest-1a2b3c4d5e6f"],
    [`x:${"t".repeat(128)}`, `x:${"t".repeat(115)}-1a2b3c4d5e6f`],
])("image %s is built as %s", (dockerImage, tag) => {
    expect(planStack(seed({ dockerImage })).image.tag).toBe(tag);
});

test("an image that is not built keeps its name", () => {
    expect(planStack({ ...input, image: null }).image).toEqual({
        tag: "dsv4-flash-vision:local",
        reference: "dsv4-flash-vision:local",
        strategy: "per-node",
        build: null,
        platform: "linux/arm64",
    });
});

describe("contradictions", () => {
    const { fabric, ...bare } = pair[1]!;
    const mount = { host: "/x", container: "/root/.triton", readOnly: false };
    test.each<[string, PlanInput, string]>([
        [
            "too few nodes",
            seed({}, { nodes: [pair[0]!] }),
            "nodes: 1 node, but required_nodes = 2 in recipes/dsv4-flash-vision/recipe.toml",
        ],
        [
            "no fabric",
            seed({}, { nodes: [pair[0]!, bare] }),
            "nodes[1].fabric: missing for spark-2",
        ],
        [
            "another net",
            second({ fabric: { ...fabric, address: "10.0.0.2" } }),
            "nodes[1].fabric.address: 10.0.0.2 is not in the subnet of the head's 192.168.100.1",
        ],
        [
            "another MTU",
            second({ fabric: { ...fabric, mtu: 1500 } }),
            "nodes[1].fabric.mtu: 1500, the head has 9000",
        ],
        [
            "a mount twice",
            second({ mounts: [mount] }),
            "nodes[1].mounts[0].container: /root/.triton is mounted already",
        ],
        [
            "two revisions",
            seed({ args: ["--revision", "main"] }),
            "model.revision: 86f746b36186f0e567729a5c06a8c918caba82a9, but --revision main stands in the arguments of recipes/dsv4-flash-vision/recipe.toml",
        ],
    ])("%s", (_, from, expected) => {
        expect(issuesOf(from).map(({ path, problem }) => `${path}: ${problem}`)).toEqual([
            expected,
        ]);
    });

    test("an alias whose home is not known, only where ~ is mounted", () => {
        const nodes = pair.map(({ name, fabric, env, mounts }) => ({
            ...{ name, destination: name, env, mounts },
            ...(fabric === undefined ? {} : { fabric }),
        }));
        expect(issuesOf(seed({}, { nodes })).map(({ path, fix }) => [path, fix])).toEqual([
            ["nodes[0].home", "ssh spark-1 'echo $HOME' prints it"],
            ["nodes[1].home", "ssh spark-2 'echo $HOME' prints it"],
        ]);
        expect(issuesOf(seed({ mounts: [] }, { nodes }))).toEqual([]);
    });

    test("all at once, as errors of the stack's file", () => {
        const found = issuesOf(second({ fabric: { ...fabric, mtu: 1500, address: "10.0.0.2" } }));
        expect(found.map(({ code, severity, file }) => [code, severity, file])).toEqual([
            ["bad-config", "error", "Pulumi.spark.yaml"],
            ["bad-config", "error", "Pulumi.spark.yaml"],
        ]);
    });
});
