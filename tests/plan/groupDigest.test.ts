import { planStack, type PlanInput } from "../../components/plan";
import { image, seedInput, seedWith, withSecond } from "./seed";

const input = seedInput();
const pair = input.cluster.nodes;
const [seed, second] = [seedWith, withSecond];

describe("the group's digest", () => {
    const group = (from: PlanInput) => planStack(from).group;
    const before = group(input);
    const launch = { ...input.cluster.launch, timeoutSeconds: 7200 };
    const [head, worker] = pair;
    test.each<[string, PlanInput]>([
        ["an argument", seed({ args: [...input.recipe.args, "--enforce-eager"] })],
        ["a variable", seed({ env: { ...input.recipe.env, A: "1" } })],
        [
            "the variables' order",
            seed({ env: Object.fromEntries(Object.entries(input.recipe.env).reverse()) }),
        ],
        ["a mount", seed({ mounts: input.recipe.mounts.slice(1) })],
        ["a byte of the image", { ...input, image: { ...image, digest: "0".repeat(64) } }],
        ["the order of nodes", seed({}, { nodes: [worker!, head!] })],
        ["another machine", second({ destination: "nvidia@spark-9" })],
        ["a node's name", second({ name: "spark-9" })],
        ["the fabric", second({ fabric: { ...worker!.fabric, address: "192.168.100.3" } })],
        ["the recipe", seed({ slug: "other" })],
        ["shared memory", seed({ shmBytes: 1 })],
        ["a first key", seed({}, { hasApiKey: true })],
        ["the api's port", seed({}, { api: { ...input.cluster.api, port: 8001 } })],
    ])("%s changes it", (_, from) => {
        expect(group(from)).not.toBe(before);
    });
    test.each<[string, PlanInput]>([
        ["a title", seed({ name: "x" })],
        ["a time limit", seed({}, { launch })],
        ["warnings", seed({ warnings: [] })],
        ["a pinned host key", second({ hostKey: "ssh-ed25519 A" })],
        ["another ssh_config", seed({}, { sshConfig: "x" })],
        ["another stack's name", { ...input, stack: "x", owner: "y" }],
    ])("%s does not", (_, from) => {
        expect(group(from)).toBe(before);
    });
    test("is a label of every rank", () => {
        expect(planStack(input).nodes.map(({ rank }) => rank.labels["spark-vllm.group"])).toEqual([
            before,
            before,
        ]);
    });
});
