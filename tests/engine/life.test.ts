import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { completion, lab as labCommand, labNodes, onNode, type SeenRank, seenRanks } from "./lab";
import { sampleRanks } from "./sampler";
import { editedRecipe, LabStack } from "./stack";

// The life of a stack through the real engine and providers, on two simulated nodes: each test stands on the
// one before it.
jest.setTimeout(180_000);

let lab: LabStack;
let folder: string;
let running: readonly SeenRank[];

/** Every character that a shell, a template or TOML could touch on the way. */
const awkward = String.raw`{"a":"é $HOME $(id) %s # {{x}} \\ \" ~ *","b":"${"`id`"}"}`;

const ids = (ranks: readonly SeenRank[]) => ranks.map(({ id }) => id);

beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-life-"));
    lab = await LabStack.create("lab-life");
});

afterAll(async () => {
    await lab.remove();
    rmSync(folder, { recursive: true });
});

test("up: every resource of the seed recipe, and a group that serves", async () => {
    expect(await lab.up()).toEqual({
        "spark-vllm-lab-life": "create",
        cluster: "create",
        "group-id": "create",
        preflight: "create",
        "argument-check": "create",
        "image-check": "create",
        "change-over": "create",
        "spark-1": "create",
        "spark-1-docker": "create",
        "spark-1-image": "create",
        "spark-1-caches": "create",
        "spark-1-rank": "create",
        "spark-2": "create",
        "spark-2-docker": "create",
        "spark-2-image": "create",
        "spark-2-caches": "create",
        "spark-2-rank": "create",
        launch: "create",
        smoke: "create",
        prune: "create",
    });
    running = await seenRanks();
    expect(running.map(({ node, name, state }) => ({ node, name, state }))).toEqual([
        { node: "spark-1", name: "/dsv4-flash-vision-rank0", state: "running" },
        { node: "spark-2", name: "/dsv4-flash-vision-rank1", state: "running" },
    ]);
    expect(new Set(running.map(({ group }) => group)).size).toBe(1);
});

/** Each rank's argv as its container has it, and as the plan says. */
async function argvs() {
    const { nodes } = await lab.plan();
    return Promise.all(
        nodes.map(async ({ name, rank }) => {
            const inspect = `docker inspect -f '{{json .Path}} {{json .Args}}' ${rank.containerName}`;
            const [program = "", args = ""] = (await onNode(name, inspect)).split(/ (.*)/s);
            const seen = [JSON.parse(program), ...(JSON.parse(args) as string[])] as string[];
            return { seen, planned: rank.command };
        }),
    );
}

test("the JSON arguments of the recipe arrive as plain JSON", async () => {
    for (const { seen, planned } of await argvs()) {
        expect(seen).toEqual(planned);
        const value = (flag: string) => seen[seen.indexOf(flag) + 1] ?? "";
        expect(JSON.parse(value("--speculative-config"))).toEqual({
            method: "dspark",
            num_speculative_tokens: 6,
            draft_sample_method: "probabilistic",
            attention_backend: "B12X_MLA_SPARSE",
        });
        expect(value("--limit-mm-per-prompt")).toBe('{"image":8}');
    }
});

test("up again changes nothing, with and without refresh", async () => {
    expect(await lab.up()).toEqual({});
    expect(await lab.up({ refresh: true })).toEqual({});
    expect(ids(await seenRanks())).toEqual(ids(running));
});

test("the head answers a completion", async () => {
    expect(await completion()).toMatchObject({
        status: 200,
        body: { usage: { completion_tokens: 4 } },
    });
});

test("a changed argument: preview equals up, both ranks replaced, never old and new at once", async () => {
    const args = `"--max-num-seqs", "4", "--hf-overrides", '${awkward}'`;
    await lab.configure({ recipe: editedRecipe(folder, '"--max-num-seqs", "2"', args) });
    const preview = await lab.preview();
    expect(lab.output).toContain("--max-num-seqs: 2 -> 4 (all ranks)");
    expect(preview).toMatchObject({ "spark-1-rank": "replace", "spark-2-rank": "replace" });
    expect(ids(await seenRanks())).toEqual(ids(running));
    const groups = await sampleRanks(async () => {
        expect(await lab.up()).toEqual(preview);
    });
    expect(groups.map(({ overlaps }) => overlaps)).toEqual([[], []]);
    expect(groups[0]?.group).toBe(running[0]?.group);
    const replaced = await seenRanks();
    expect(replaced.filter(({ id }) => ids(running).includes(id))).toEqual([]);
    expect(replaced.map(({ state }) => state)).toEqual(["running", "running"]);
    for (const { seen, planned } of await argvs()) {
        expect(seen).toEqual(planned);
        expect(seen).toContain(awkward);
    }
    expect(await lab.up()).toEqual({});
});

/** What may happen to a rank of a group that serves. */
const losses: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
    ["`docker kill` of a rank", (id) => onNode("spark-2", `docker kill ${id}`)],
    ["`docker rm -f` of a rank", (id) => onNode("spark-2", `docker rm -f ${id}`)],
    ["a reboot of its node", () => labCommand("reboot", "2")],
];

test.each(losses)("up --refresh after %s: all ranks anew", async (_, lose) => {
    const before = await seenRanks();
    await lose(before[1]?.id ?? "");
    // Nothing brings a rank back alone.
    const left = await seenRanks();
    expect(left.filter(({ node, state }) => node === "spark-2" && state === "running")).toEqual([]);
    await lab.up({ refresh: true });
    const after = await seenRanks();
    expect(after.map(({ state }) => state)).toEqual(["running", "running"]);
    for (const [index, { startedAt }] of after.entries()) {
        expect(startedAt > (before[index]?.startedAt ?? "")).toBe(true);
    }
    expect(await completion()).toMatchObject({ status: 200 });
    expect(await lab.up({ refresh: true })).toEqual({});
});

test("destroy, one rank removed by hand before: no container and no record is left", async () => {
    const [, worker] = await seenRanks();
    await onNode("spark-2", `docker rm -f ${worker?.id ?? ""}`);
    await lab.destroy();
    expect(await seenRanks()).toEqual([]);
    for (const node of labNodes()) {
        expect(await onNode(node, "ls ~/.local/state/spark-vllm 2>/dev/null || true")).toBe("");
    }
});
