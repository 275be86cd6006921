import fs from "node:fs";
import { checkFacts, type NodeFacts, parseFacts, type PlanToCheck } from "../../components/cluster";

export const revision = "86f746b36186f0e567729a5c06a8c918caba82a9";
export const base = parseFacts(fs.readFileSync("tests/fixtures/facts/spark-1.json", "utf8"), {
    node: "spark-1",
    clock: 1_000_000,
});
export const hubPath = "/mnt/nas/ai/huggingface";
export const folder = `${hubPath}/hub/models--acme--thinker`;
export const shard = (n: number) => `model-0000${String(n)}-of-00003.safetensors`;

export const command = [
    ..."vllm serve acme/thinker --gpu-memory-utilization 0.80".split(" "),
    ..."--load-format instanttensor".split(" "),
    ..."--kv-cache-memory 12884901888 --speculative-config".split(" "),
    '{"method":"dspark","num_speculative_tokens":6}',
];
export const head: PlanToCheck["nodes"][number] = {
    name: "spark-1",
    ssh: { destination: "nvidia@spark-1" },
    home: "/home/nvidia",
    fabric: {
        address: "192.168.100.1",
        interface: "enp1s0f1np1",
        hcas: ["rocep1s0f1", "roceP2p1s0f1"],
        mtu: 9000,
    },
    jitCaches: ["/home/nvidia/.cache/jit/triton"],
    rank: {
        role: "head",
        containerName: "spark-vllm-spark-0",
        command,
        env: { VLLM_USE_B12X_MHC: "0" },
        mounts: [
            { hostPath: hubPath, kind: "weights" },
            { hostPath: "/home/nvidia/.cache/jit/triton", kind: "cache" },
        ],
    },
};
export const worker = {
    ...head,
    name: "spark-2",
    fabric: { ...head.fabric!, address: "192.168.100.2" },
    rank: { ...head.rank, role: "worker" as const },
};
export const plan: PlanToCheck = {
    stack: "spark",
    model: { id: "acme/thinker", revision },
    image: { tag: "thinker:local-0123456789ab", build: {}, platform: "linux/arm64" },
    nodes: [head, worker],
    api: { bind: "127.0.0.1", port: 8000 },
    masterPort: 29501,
    weights: { location: "nas", path: hubPath, prefetch: false },
    nasFsTypes: ["nfs", "nfs4"],
    launch: { dropCaches: false, takeOver: false },
    ignoredChecks: [],
};

export type Change = (facts: NodeFacts) => Partial<NodeFacts>;
/** Issues of the head alone, as `severity code rule: problem`. */
export function found(
    change: Change,
    planChange: Partial<PlanToCheck> = {},
    groupId = "g1",
): string[] {
    const issues = checkFacts({ ...plan, ...planChange }, [{ ...base, ...change(base) }], groupId);
    return issues.map(({ severity, code, path, problem }) => {
        const mark = severity === "warning" ? "warning " : "";
        return `${mark}${code} ${path}: ${problem}`;
    });
}

export const docker =
    (changes: Partial<NodeFacts["docker"]>): Change =>
    (facts) => ({ docker: { ...facts.docker, ...changes } });
export const hub =
    (changes: Partial<NonNullable<NodeFacts["hub"]>>): Change =>
    (facts) => ({ hub: { ...facts.hub!, ...changes } });
export const snapshot =
    (changes: Partial<NonNullable<NonNullable<NodeFacts["hub"]>["snapshot"]>>): Change =>
    (facts) => ({ hub: { ...facts.hub!, snapshot: { ...facts.hub!.snapshot!, ...changes } } });
export const memory =
    (changes: Record<string, number>): Change =>
    (facts) => ({ memory: { ...facts.memory, ...changes } });
export const firstPath =
    (changes: Partial<NodeFacts["paths"][number]>, more: Partial<NodeFacts> = {}): Change =>
    (facts) => ({ paths: [{ ...facts.paths[0]!, ...changes }, facts.paths[1]!], ...more });
export const cachePath =
    (changes: Partial<NodeFacts["paths"][number]>): Change =>
    (facts) => ({ paths: [facts.paths[0]!, { ...facts.paths[1]!, ...changes }] });
export const device =
    (name: string, changes: Partial<NodeFacts["rdma"][number]>): Change =>
    (facts) => ({
        rdma: facts.rdma.map((each) => (each.name === name ? { ...each, ...changes } : each)),
    });
export const fabricInterface =
    (changes: Partial<NonNullable<NodeFacts["interfaces"]>[number]>): Change =>
    (facts) => ({
        interfaces: facts.interfaces!.map((each) =>
            each.name === "enp1s0f1np1" ? { ...each, ...changes } : each,
        ),
    });
export const container = (changes: Partial<NodeFacts["docker"]["containers"][number]>) => ({
    ...base.docker.containers[0]!,
    ...changes,
});
export const own = container({ id: "b".repeat(64), name: "r0", groupId: "g1", stack: "spark" });
export const listener = { address: "0.0.0.0", port: 8000, process: "", pid: 0, container: "" };
export const ext4 = { mounts: base.mounts.filter(({ type }) => type !== "nfs4") };
