import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { parseCluster } from "../../components/cluster";
import { planStack, type PlanInput } from "../../components/plan";
import { seedInput } from "./seed";

const seed = seedInput();
const reserved =
    /^(?:preflight|argument-check|change-over|launch|smoke|group-id)$|-(?:docker|image|caches|rank)$/;

// Names out of the program's own words, so that near misses like `a-rank-1` or `launch-docker-x` come up.
const words = fc.constantFrom("a", "b", "rank", "docker", "launch", "image", "1", "caches");
const nodeName = fc
    .array(words, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join("-"))
    .filter((name) => !reserved.test(name));
const device = fc.integer({ min: 0, max: 99 }).map((n) => `roce${String(n)}`);
const fabric = (i: number) =>
    fc.record({
        address: fc.constant(`10.7.0.${String(i)}`),
        interface: fc.integer({ min: 0, max: 9 }).map((n) => `enp${String(n)}`),
        hcas: fc.uniqueArray(device, { minLength: 1, maxLength: 4 }),
        mtu: fc.constant(9000),
    });

/** Clusters of one to eight machines, with the seed's recipe on them. */
const inputs: fc.Arbitrary<PlanInput> = fc
    .uniqueArray(nodeName, { minLength: 1, maxLength: 8 })
    .chain((names) =>
        fc.tuple(
            ...names.map((name, i) =>
                fc.record({
                    name: fc.constant(name),
                    host: fc.constant(`u@${name}`),
                    fabric: fabric(i + 1),
                }),
            ),
        ),
    )
    .map((nodes) => ({
        ...seed,
        recipe: { ...seed.recipe, requiredNodes: nodes.length, tensorParallelSize: nodes.length },
        cluster: parseCluster({ recipe: "x", nodes }, { file: "Pulumi.x.yaml" }),
    }));

test("the same input gives the same text, and JSON keeps all of it", () => {
    fc.assert(
        fc.property(inputs, (input) => {
            const plan = planStack(input);
            const text = JSON.stringify(plan);
            expect(JSON.stringify(planStack(structuredClone(input)))).toBe(text);
            expect(isDeepStrictEqual(JSON.parse(text), plan)).toBe(true);
        }),
    );
});

test("no two resources have one name, in any cluster", () => {
    fc.assert(
        fc.property(inputs, (input) => {
            const names = planStack(input).nodes.flatMap((node) =>
                Object.values<string>({ ...node.names }),
            );
            const all = [...names, "preflight", "launch", "group-id"];
            expect(new Set(all).size).toBe(all.length);
        }),
    );
});

test("one head with an API; every rank meets at the head and says its own address", () => {
    fc.assert(
        fc.property(inputs, (input) => {
            const { nodes } = planStack(input);
            const after = (flag: string) =>
                nodes.map(({ rank }) => rank.command[rank.command.lastIndexOf(flag) + 1]);
            expect(nodes.map(({ rank }) => rank.role === "head")).toEqual(
                nodes.map((_, i) => i === 0),
            );
            expect(nodes.map(({ rank }) => rank.command.includes("--headless"))).toEqual(
                nodes.map((_, i) => i > 0),
            );
            expect(after("--node-rank")).toEqual(nodes.map((_, i) => String(i)));
            expect(new Set(after("--master-addr"))).toEqual(new Set([nodes[0]!.fabric!.address]));
            expect(nodes.map(({ rank }) => rank.env["VLLM_HOST_IP"])).toEqual(
                nodes.map((node) => node.fabric!.address),
            );
        }),
    );
});
