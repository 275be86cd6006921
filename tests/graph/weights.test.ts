import { readFileSync } from "node:fs";
import path from "node:path";

import * as pulumi from "@pulumi/pulumi";

import type { StackPlan } from "../../components/plan";
import { SparkCluster } from "../../components/resources";
import { type RecordedResource, recordGraph } from "./recordGraph";

// What is declared besides when the program brings the weights: a share to mount, a download.
const golden = path.join(__dirname, "../fixtures/plan/dsv4-flash-vision.json");
const plan = JSON.parse(readFileSync(golden, "utf8")) as StackPlan;
const nasMount = { path: "/mnt/nas", source: "nas:/ai", type: "nfs4", options: "ro" };

let graph: readonly RecordedResource[];
const find = (name: string) => graph.find((resource) => resource.name === name);

jest.setTimeout(60_000);

beforeAll(async () => {
    graph = await recordGraph(() => {
        new SparkCluster("cluster", {
            plan: {
                ...plan,
                nasMount,
                weights: { ...plan.weights, prefetch: true, preparedByProgram: true },
            },
            sshOptions: () => [],
            clearing: {
                stopAll: () => Promise.resolve(),
                reviveAll: () => Promise.resolve(),
                sweep: () => Promise.resolve(),
            },
            caches: { check: () => Promise.resolve(), place: () => Promise.resolve() },
            secrets: { huggingFaceToken: pulumi.secret("hf_marker") },
        });
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
