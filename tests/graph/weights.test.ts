import * as pulumi from "@pulumi/pulumi";

import type { RecordedResource } from "./recordGraph";
import { plan, seedCluster } from "./seedCluster";

// What is declared besides when the program brings the weights: a share to mount, a download.
const nasMount = { path: "/mnt/nas", source: "nas:/ai", type: "nfs4", options: "ro" };

let graph: readonly RecordedResource[];
const find = (name: string) => graph.find((resource) => resource.name === name);

jest.setTimeout(60_000);

beforeAll(async () => {
    const weights = { ...plan.weights, prefetch: true, preparedByProgram: true };
    graph = await seedCluster({
        plan: { ...plan, nasMount, weights },
        secrets: { huggingFaceToken: pulumi.secret("hf_marker") },
    });
});

test.each<[string, string, string[]]>([
    ["spark-1-nas", "spark-1", ["group-id", "preflight"]],
    ["spark-2-nas", "spark-2", ["group-id", "preflight"]],
    ["weights", "cluster", ["argument-check", "group-id", "spark-1-nas", "spark-2-nas"]],
    ["change-over", "cluster", ["group-id", "weights"]],
])("%s below %s waits for %j", (name, parent, dependsOn) => {
    expect(find(name)).toMatchObject({ type: "command:local:Command", parent, dependsOn });
});

test("the mount is undone by its own step, and made anew on another machine", () => {
    expect(find("spark-1-nas")?.inputs).toMatchObject({
        create: "node scripts/host.js nas",
        delete: "node scripts/host.js nas-undo",
        triggers: ["nvidia@spark-1", ""],
    });
});

test("the token is a secret of the download alone", () => {
    expect(find("weights")?.inputs["environment"]).toBe("[secret]");
    expect(JSON.stringify(graph)).not.toContain("hf_marker");
});
