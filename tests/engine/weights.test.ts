import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import {
    buildHubImage,
    hubEndpoint,
    hubFaults,
    hubImage,
    hubLog,
    hubRecipe,
    hubRevision,
    startHub,
    stopHub,
} from "./hub";
import { completion, labConfig, labNodes, onNode, root, seenRanks } from "./lab";
import { LabStack } from "./stack";

// Weights that the program fetches: from a small hub, by the hub's own client in the recipe's image, onto local
// disks. Each test stands on the one before it.
jest.setTimeout(180_000);

const hub = "/srv/spark-test-hub";
const folder = (model: string) => `${hub}/hub/models--acme--${model}`;
let lab: LabStack;
let recipes: string;

/** Hashes of all that the model's folder holds, links resolved; the same text on every node. */
const contents = (model: string) =>
    Promise.all(
        labNodes().map((node) =>
            onNode(
                node,
                `cd ${folder(model)} && find snapshots refs -follow -type f | sort | xargs sha256sum`,
            ),
        ),
    );
const leftovers = async () =>
    (
        await Promise.all(
            labNodes().map((node) => onNode(node, "docker ps -aq --filter label=spark-vllm.job")),
        )
    ).join("");
const fingerprint = async () => (await seenRanks()).map(({ id, startedAt }) => [id, startedAt]);

/** Runs `spark fetch`; never throws. */
async function fetchByHand(env: NodeJS.ProcessEnv = {}): Promise<{ code: number; text: string }> {
    const args = ["scripts/spark.js", "fetch", "--stack", "lab-weights"];
    const options = { cwd: root, env: { ...process.env, ...env } };
    try {
        const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
        return { code: 0, text: stderr + stdout };
    } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, text: stderr + stdout };
    }
}

beforeAll(async () => {
    recipes = mkdtempSync(path.join(tmpdir(), "spark-weights-"));
    await buildHubImage();
    await startHub();
    lab = await LabStack.create("lab-weights");
    const { nodes, image } = labConfig() as {
        nodes: readonly object[];
        image: { platform: string };
    };
    await lab.configure({
        recipe: hubRecipe(recipes, "acme/tiny"),
        nodes: nodes.map((node) => ({ ...node, env: { HF_ENDPOINT: hubEndpoint } })),
        image: { platform: image.platform },
        model: { revision: hubRevision },
        weights: { location: "local", path: hub, prefetch: true },
        launch: { dropCaches: true },
    });
});

afterAll(async () => {
    await lab.remove();
    await stopHub();
    for (const node of labNodes()) {
        await onNode(node, `rm -rf ${hub}; docker image rm --force ${hubImage} >/dev/null`);
    }
    rmSync(recipes, { recursive: true });
});

test("up downloads once, goes on after a cut, copies to the other node, and serves", async () => {
    await hubFaults({ cut: 15_000_000, pause: 0.1 });
    const preview = await lab.preview();
    expect(await hubLog()).toEqual([]);
    expect(await onNode("spark-1", `ls -d ${hub} 2>/dev/null || echo none`)).toBe("none");
    const dropped = "awk '$1 == \"drop_pagecache\" { print $2 }' /proc/vmstat";
    const before = Number(await onNode("spark-1", dropped));

    expect(await lab.up()).toEqual(preview);
    expect(preview).toMatchObject({ weights: "create" });
    expect(lab.output).toMatch(/spark-1 {2}\d+\.\d MiB of 36\.0 MiB \(\d+ %\)/);
    expect(lab.output).toMatch(/spark-2 {2}whole: 36\.0 MiB, 36\.0 MiB of it new/);
    const ranges = (await hubLog()).map(([, , range]) => range).filter((range) => range !== null);
    // The client writes pieces of 10 MiB.
    expect(ranges).toEqual(["bytes=10485760-"]);
    const [first, second] = await contents("tiny");
    expect(first?.split("\n").length).toBe(8);
    expect(second).toBe(first);
    expect(await onNode("spark-2", `cat ${folder("tiny")}/refs/main; echo .`)).toBe(
        `${hubRevision}.`,
    );
    expect(await leftovers()).toBe("");
    expect(await completion()).toMatchObject({ status: 200 });
    // launch.dropCaches: on the simulated nodes the engine's share is not free beside the page cache.
    expect(lab.output).toMatch(/spark-2: dropped the page cache: \d+\.\d GiB of memory were free/);
    expect(Number(await onNode("spark-1", dropped))).toBeGreaterThan(before);
    expect(await lab.up()).toEqual({});
});

test("fetch by hand brings only what is missing, and touches no rank", async () => {
    await hubFaults({ cut: 0, pause: 0 });
    const running = await fingerprint();
    const shards = await onNode("spark-2", `ls -S ${folder("tiny")}/blobs`);
    const [large = "", middle = ""] = shards.split("\n");
    await onNode(
        "spark-2",
        `cd ${folder("tiny")}/blobs && rm ${large} && truncate -s 1000000 ${middle}`,
    );
    const { code, text } = await fetchByHand();
    expect(text).toMatch(/spark-2 {2}whole: 36\.0 MiB, 31\.0 MiB of it new/);
    expect(code).toBe(0);
    expect(await hubLog()).toEqual([]);
    const [first, second] = await contents("tiny");
    expect(second).toBe(first);
    expect(await fingerprint()).toEqual(running);
});

test("a copy of a damaged file is refused: node, file, what to do", async () => {
    const blob = (await onNode("spark-1", `ls -S ${folder("tiny")}/blobs`)).split("\n")[0] ?? "";
    const spoil = `cd ${folder("tiny")}/blobs && cp ${blob} ../kept`;
    await onNode(
        "spark-1",
        `${spoil} && printf x | dd of=${blob} bs=1 seek=5000 conv=notrunc 2>&1`,
    );
    await onNode("spark-2", `rm ${folder("tiny")}/blobs/${blob}`);
    const { code, text } = await fetchByHand();
    expect(code).toBe(1);
    expect(text).toContain(`${blob} does not have the content that its name stands for`);
    expect(text).toContain("Nothing that serves was stopped");
    await onNode("spark-1", `cd ${folder("tiny")} && mv kept blobs/${blob}`);
    expect((await fetchByHand()).code).toBe(0);
});

test("a gated model: the token is asked for, used when the hub wants one, and shown nowhere", async () => {
    const running = await fingerprint();
    await hubFaults({ cut: 0, pause: 0 });
    await lab.configure({ recipe: hubRecipe(recipes, "acme/gated-tiny") });
    const refusal = await lab.failing(() => lab.up());
    expect(refusal).toContain("the hub wants a login for acme/gated-tiny");
    expect(refusal).toContain("pulumi config set --secret huggingFaceToken");
    expect(refusal).toContain("Nothing that serves was stopped");
    expect(await fingerprint()).toEqual(running);

    const token = { value: "hf_marker", secret: true };
    await lab.stack.setConfig("spark-vllm:huggingFaceToken", token);
    await lab.up();
    const log = await hubLog();
    expect(log[0]?.[3]).toBe(false);
    expect(log.some(([, , , withToken]) => withToken)).toBe(true);
    expect(lab.output).not.toContain("hf_marker");
    // exportStack would show secrets in the open.
    const backend = new URL(process.env["PULUMI_BACKEND_URL"] ?? "");
    const state = path.join(backend.pathname, ".pulumi/stacks/spark-vllm/lab-weights.json");
    expect(readFileSync(state, "utf8")).not.toContain("hf_marker");
    expect(
        await onNode("spark-1", "docker inspect $(docker ps -aq) | grep -c hf_marker || true"),
    ).toBe("0");
    expect(await completion()).toMatchObject({ status: 200 });
});

test("a killed fetch leaves no container; the next one takes what is whole as it is", async () => {
    await lab.configure({ recipe: hubRecipe(recipes, "acme/other") });
    await hubFaults({ cut: 0, pause: 0.6 });
    const args = ["scripts/spark.js", "fetch", "--stack", "lab-weights"];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
    const ended = new Promise((resolve) => child.once("close", resolve));
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    // 5 MiB at 0.6 s each: the smallest shard is whole, the largest is not.
    const shards = `ls -L ${folder("other")}/snapshots/*/model-*.safetensors 2>/dev/null | wc -l`;
    await onNode("spark-1", `until [ "$(${shards})" != 0 ]; do sleep 0.1; done`);
    child.kill("SIGKILL");
    await ended;
    expect(said).toContain("MiB of 36.0 MiB");
    const gone = '[ -z "$(docker ps -aq --filter label=spark-vllm.job)" ]';
    await onNode("spark-1", `for i in $(seq 150); do ${gone} && exit 0; sleep 0.1; done; exit 1`);
    await hubFaults({ cut: 0, pause: 0 });
    const { code, text } = await fetchByHand();
    expect(text).toContain(
        "acme/other at 0123456789abcdef0123456789abcdef01234567 is whole on spark-1, spark-2.",
    );
    expect(code).toBe(0);
    const asked = (await hubLog()).filter(
        ([method, file]) => method === "GET" && file.endsWith(".safetensors"),
    );
    expect(asked.length).toBeLessThan(3);
    expect(asked.length).toBeGreaterThan(0);
});
