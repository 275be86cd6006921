import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { parse } from "yaml";
import { ownKeys, parseCluster } from "../../components/cluster";

const file = "Pulumi.spark.yaml";
const root = path.join(__dirname, "../..");
// As git stores it: the engine adds a salt to the working file, which the filter leaves out (decision 0001).
const text = execFileSync(path.join(root, "scripts/setup.d/cleanStackFile"), {
    cwd: root,
    encoding: "utf8",
    input: readFileSync(path.join(root, file), "utf8"),
});

/** The example with every comment that holds a key turned into that key; the last of several wins. */
function uncommented(): Record<string, unknown> {
    const key = /^( *)# (?= *(?:- )?[\w-]+(?::\w+)?:(?: |$))/;
    const lines = text.split("\n").map((line) => line.replace(key, "$1"));
    const { config } = parse(lines.join("\n"), { uniqueKeys: false }) as {
        config: Record<string, unknown>;
    };
    return { ...ownKeys(config) };
}

test("the example parses, and holds no salt", () => {
    const { config, ...rest } = parse(text) as { config: Record<string, unknown> };
    expect(rest).toEqual({});
    const cluster = parseCluster(ownKeys(config), { file, text });
    expect(cluster.nodes.map(({ name, destination }) => [name, destination])).toEqual([
        ["spark-1", "nvidia@spark-1"],
        ["spark-2", "nvidia@spark-2"],
    ]);
    expect(cluster.model.revision).toBe("86f746b36186f0e567729a5c06a8c918caba82a9");
});

test("what its comments offer is legal too", () => {
    const raw = uncommented();
    expect(Object.keys(raw).toSorted()).toEqual([
        ...[
            "api",
            "checks",
            "image",
            "launch",
            "masterPort",
            "model",
            "nodes",
            "recipe",
            "weights",
        ],
    ]);
    const image = { base: `name@sha256:${"0".repeat(64)}` };
    const nodes = (raw["nodes"] as Record<string, unknown>[]).map((node) => ({
        ...node,
        hostKey: undefined,
    }));
    const cluster = parseCluster({ ...raw, image, nodes }, { file });
    expect(cluster.api).toEqual({ port: 8000, bind: "0.0.0.0", open: true });
    expect(cluster.nodes[1]!.mounts).toHaveLength(1);
    expect(cluster.checks.ignore).toEqual([
        { id: "loader-streams", reason: "the weights fit into the page cache" },
    ]);
});
