import { parse } from "yaml";
import { ownKeys, parseCluster } from "../../components/cluster";
import { type Issue, RecipeError } from "../../components/issue";

export const file = "Pulumi.test.yaml";

/** Two nodes and nothing else, as the file has it, without namespace. */
export const pair = {
    recipe: "dsv4-flash-vision",
    nodes: [1, 2].map((i) => ({
        name: `spark-${String(i)}`,
        host: `nvidia@spark-${String(i)}`,
        fabric: {
            address: `10.100.9.${String(i)}`,
            interface: `enp1s0f${String(i)}np${String(i)}`,
            hcas: [`rocep1s0f${String(i)}`],
            mtu: 9000,
        },
    })),
};

/** The pair with its second node changed. */
export const second = (change: object) => ({
    ...pair,
    nodes: [pair.nodes[0], { ...pair.nodes[1], ...change }],
});

/** What the engine hands to the program: texts, blocks as JSON. */
export function asEngine(raw: Readonly<Record<string, unknown>>): Record<string, string> {
    return Object.fromEntries(
        Object.entries(raw).map(([key, value]) => [
            key,
            typeof value === "string" ? value : JSON.stringify(value),
        ]),
    );
}

/** The issues of a configuration that must not be accepted. */
export function issuesOf(run: () => unknown): readonly Issue[] {
    try {
        run();
    } catch (error) {
        if (error instanceof RecipeError) return error.issues;
        throw error;
    }
    throw new Error("accepted");
}

/** `path: problem` of each issue, both readings of the configuration compared. */
export function problems(raw: Readonly<Record<string, unknown>>): readonly string[] {
    const say = (from: Readonly<Record<string, unknown>>) =>
        issuesOf(() => parseCluster(from, { file })).map((i) => `${i.path}: ${i.problem}`);
    const found = say(raw);
    expect(say(asEngine(raw))).toEqual(found);
    return found;
}

/** The issues of a whole file. */
export function issuesOfText(text: string): readonly Issue[] {
    const all = (parse(text) as { config: Record<string, unknown> }).config;
    return issuesOf(() => parseCluster(ownKeys(all), { file, text }));
}
