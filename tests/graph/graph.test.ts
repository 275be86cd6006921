import * as pulumi from "@pulumi/pulumi";

import { sshArguments } from "../../components/host";
import type { RecordedResource } from "./recordGraph";
import { plan, seedCluster } from "./seedCluster";

const groupId = "0123456789abcdef";

let graph: readonly RecordedResource[];
const find = (name: string) => graph.find((resource) => resource.name === name);

// The first import of the SDK takes a while on a busy machine.
jest.setTimeout(60_000);

beforeAll(async () => {
    graph = await seedCluster({
        plan: { ...plan, api: { ...plan.api, authenticated: true } },
        sshOptions: (node) => sshArguments(node.ssh),
        secrets: { apiKey: pulumi.secret("the-key") },
    });
});

test("every resource has its type and its parent", () => {
    expect(graph.map(({ name, type, parent }) => [name, type, parent])).toEqual([
        ["argument-check", "command:local:Command", "cluster"],
        ["change-over", "command:local:Command", "cluster"],
        ["cluster", "spark-vllm:index:Cluster", ""],
        ["group-id", "command:local:Command", "cluster"],
        ["image-check", "command:local:Command", "cluster"],
        ["launch", "command:local:Command", "cluster"],
        ["preflight", "command:local:Command", "cluster"],
        ["prune", "command:local:Command", "cluster"],
        ["smoke", "command:local:Command", "cluster"],
        ["spark-1", "spark-vllm:index:Node", "cluster"],
        ["spark-1-caches", "command:local:Command", "spark-1"],
        ["spark-1-docker", "pulumi:providers:docker", "spark-1"],
        ["spark-1-image", "docker:index/image:Image", "spark-1"],
        ["spark-1-rank", "docker:index/container:Container", "spark-1"],
        ["spark-2", "spark-vllm:index:Node", "cluster"],
        ["spark-2-caches", "command:local:Command", "spark-2"],
        ["spark-2-docker", "pulumi:providers:docker", "spark-2"],
        ["spark-2-image", "docker:index/image:Image", "spark-2"],
        ["spark-2-rank", "docker:index/container:Container", "spark-2"],
    ]);
});

test("a node's resources carry the node's name, and none the recipe's", () => {
    for (const { name, parent } of graph) {
        if (parent.startsWith("spark-")) expect(name.startsWith(`${parent}-`)).toBe(true);
        expect(name).not.toContain("dsv4");
    }
});

// group-id is a data edge: its value is in the inputs.
test.each<[string, string[]]>([
    ["preflight", ["group-id"]],
    ["spark-1-image", ["preflight"]],
    ["spark-2-image", ["preflight"]],
    ["spark-1-caches", ["group-id", "preflight", "spark-1-image"]],
    ["image-check", ["preflight", "spark-1-image", "spark-2-image"]],
    ["argument-check", ["group-id", "image-check", "spark-1-caches", "spark-2-caches"]],
    ["change-over", ["argument-check", "group-id"]],
    ["spark-1-rank", ["change-over", "group-id"]],
    ["spark-2-rank", ["change-over", "group-id"]],
    ["launch", ["group-id", "spark-1-rank", "spark-2-rank"]],
    ["smoke", ["launch", "spark-1-rank", "spark-2-rank"]],
    ["prune", ["smoke", "spark-1-rank", "spark-2-rank"]],
])("%s waits for %j", (name, dependsOn) => {
    expect(find(name)?.dependsOn).toEqual(dependsOn);
});

test.each(["spark-1", "spark-2"])(
    "%s: image and rank go through the node's own provider",
    (node) => {
        expect(find(`${node}-image`)?.provider).toBe(`${node}-docker`);
        expect(find(`${node}-rank`)?.provider).toBe(`${node}-docker`);
        expect(find(`${node}-docker`)?.inputs["host"]).toBe(
            `ssh://${plan.nodes.find(({ name }) => name === node)?.ssh.destination ?? ""}`,
        );
    },
);

test("a rank is deleted before it is replaced, by any change, after the way is clear", () => {
    for (const name of ["spark-1-rank", "spark-2-rank"]) {
        expect(find(name)).toMatchObject({
            deleteBeforeReplace: true,
            replaceOnChanges: ["*"],
            beforeCreate: 1,
        });
    }
});

test.each(["launch", "smoke", "prune"])(
    "%s runs anew when the group's digest or any container changes",
    (name) => {
        expect(find(name)?.inputs["triggers"]).toEqual([
            plan.group,
            "spark-1-rank-id",
            "spark-2-rank-id",
        ]);
    },
);

test("a worker's container: what the engine and RDMA need, nothing that drifts", () => {
    const { command, env, mounts, ...inputs } = find("spark-2-rank")?.inputs ?? {};
    expect(command).toEqual(plan.nodes[1]?.rank.command.slice(1));
    expect(env).toBeUndefined();
    expect(mounts).toEqual(
        plan.nodes[1]?.rank.mounts.map(({ hostPath, containerPath, readOnly }) => ({
            type: "bind",
            source: hostPath,
            target: containerPath,
            readOnly,
        })),
    );
    expect({ ...inputs, envs: undefined, labels: undefined }).toEqual({
        name: "dsv4-flash-vision-rank1",
        image: plan.image.tag,
        entrypoints: ["vllm"],
        user: "root",
        networkMode: "host",
        ipcMode: "host",
        gpus: "all",
        shmSize: 32768,
        capabilities: { adds: ["CAP_IPC_LOCK"] },
        ulimits: [{ name: "memlock", soft: -1, hard: -1 }],
        devices: [
            {
                hostPath: "/dev/infiniband",
                containerPath: "/dev/infiniband",
                permissions: "rwm",
            },
        ],
        logDriver: "json-file",
        logOpts: { "max-size": "50m", "max-file": "4" },
        restart: "no",
        mustRun: true,
        destroyGraceSeconds: 30,
        logs: false,
        attach: false,
        envs: undefined,
        labels: undefined,
    });
    expect(inputs["labels"]).toContainEqual({ label: "spark-vllm.id", value: groupId });
});

test("the API key reaches the head's process as a secret file, and no other rank", () => {
    expect(find("spark-1-rank")?.inputs).toMatchObject({
        uploads: [{ file: "/etc/spark-vllm/api-key", content: "[secret]", permissions: "0400" }],
        entrypoints: [
            "sh",
            "-c",
            'export VLLM_API_KEY="$(cat /etc/spark-vllm/api-key)"; exec "$@"',
            "sh",
        ],
        command: plan.nodes[0]?.rank.command,
    });
    expect(find("spark-2-rank")?.inputs["uploads"]).toBeUndefined();
    expect(find("launch")?.inputs["environment"]).toBe("[secret]");
    expect(find("smoke")?.inputs["environment"]).toBe("[secret]");
    expect(JSON.stringify(graph)).not.toContain("the-key");
});

test("the image is built by BuildKit for the node's platform and never pushed", () => {
    expect(find("spark-1-image")?.inputs).toMatchObject({
        imageName: plan.image.tag,
        skipPush: true,
        build: {
            context: "docker-images/dsv4-flash-vision",
            dockerfile: "docker-images/dsv4-flash-vision/Dockerfile",
            platform: "linux/arm64",
            builderVersion: "BuilderBuildKit",
        },
    });
});
