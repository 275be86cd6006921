import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import {
    completion,
    everyLabNode,
    lab as labCommand,
    onNode,
    type SeenRank,
    seenRanks,
} from "./lab";
import { sampleRanks } from "./sampler";
import { editedRecipe, LabStack } from "./stack";

// From one group to the next, over three simulated nodes of which two serve: each test stands on the one before it.
jest.setTimeout(300_000);

let lab: LabStack;
let folder: string;

const [one, two, three] = everyLabNode();
const ids = (ranks: readonly SeenRank[]) => ranks.map(({ id }) => id);
const shown = (ranks: readonly SeenRank[]) =>
    ranks.map(({ node, name, state }) => `${node} ${name.slice(1)} ${state}`);

beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-change-"));
    lab = await LabStack.create("lab-change");
    await lab.up();
});

afterAll(async () => {
    await labCommand("memory", "2", "102");
    await lab.remove();
    rmSync(folder, { recursive: true });
});

/** Preview and `up` of a change; old and new never ran at once, and nothing of the old is left. */
async function change(values: Readonly<Record<string, unknown>>, ...lines: readonly string[]) {
    const before = await seenRanks();
    await lab.configure(values);
    const preview = await lab.preview();
    for (const line of lines) expect(lab.output).toContain(line);
    expect(ids(await seenRanks())).toEqual(ids(before));
    const groups = await sampleRanks(async () => {
        expect(await lab.up()).toEqual(preview);
    });
    expect(groups.map(({ overlaps }) => overlaps)).toEqual([[], []]);
    const after = await seenRanks();
    expect(after.filter(({ id }) => ids(before).includes(id))).toEqual([]);
    expect(new Set(after.map(({ group }) => group)).size).toBe(1);
    return preview;
}

test("a variable and a mount", async () => {
    const mounts = [...(two?.mounts ?? []), { host: "/srv", container: "/srv" }];
    const env = { SPARK_TEST: "1" };
    await change(
        {
            nodes: [
                { ...one, env },
                { ...two, mounts },
            ],
        },
        "replaces 2 ranks, without service for about",
        "  SPARK_TEST: (none) -> 1 (rank 0)",
        "  mount /srv -> /srv: (none) -> present (rank 1)",
    );
});

test("another order: the head moves", async () => {
    await change({ nodes: [two, one] }, "  node: spark-1 -> spark-2 (rank 0)");
    expect(shown(await seenRanks())).toEqual([
        "spark-1 dsv4-flash-vision-rank1 running",
        "spark-2 dsv4-flash-vision-rank0 running",
    ]);
    await lab.configure({ nodes: [one, two] });
    await lab.up();
    expect(await completion()).toMatchObject({ status: 200 });
});

test("another node: the one that goes is left without a rank", async () => {
    const preview = await change({ nodes: [one, three] }, "  node: spark-2 -> spark-3 (rank 1)");
    expect(preview).toMatchObject({ "spark-2-rank": "delete", "spark-3-rank": "create" });
    expect(shown(await seenRanks())).toEqual([
        "spark-1 dsv4-flash-vision-rank0 running",
        "spark-3 dsv4-flash-vision-rank1 running",
    ]);
    await change({ nodes: [one, two] });
    expect(shown(await seenRanks())).toEqual([
        "spark-1 dsv4-flash-vision-rank0 running",
        "spark-2 dsv4-flash-vision-rank1 running",
    ]);
});

test("another recipe, one of the old ranks removed by hand; then back", async () => {
    const [, worker] = await seenRanks();
    await onNode("spark-2", `docker rm -f ${worker?.id ?? ""}`);
    mkdirSync(path.join(folder, "other"));
    const recipe = editedRecipe(
        path.join(folder, "other"),
        '"--max-num-seqs", "2"',
        '"--max-num-seqs", "3"',
    );
    await change({ recipe }, "  --max-num-seqs: 2 -> 3 (all ranks)");
    expect(shown(await seenRanks())).toEqual([
        "spark-1 other-rank0 running",
        "spark-2 other-rank1 running",
    ]);
    await change({ recipe: "dsv4-flash-vision" }, "  --max-num-seqs: 3 -> 2 (all ranks)");
    expect(await completion()).toMatchObject({ status: 200 });
});

test("an image that someone removed: no revival, and no pull; the fix that is named mends it", async () => {
    const before = await seenRanks();
    const { image } = await lab.plan();
    await onNode("spark-2", `docker kill ${before[1]?.id ?? ""}; docker rmi -f ${image.tag}`);
    const output = await lab.failing(() => lab.up({ refresh: true }));
    expect(output).toMatch(new RegExp(`spark-2 +there is no image ${image.tag}`));
    expect(output).toContain("The group was left as it was.");
    expect((await seenRanks())[0]).toEqual(before[0]);
    expect(output).toContain("`pulumi up --replace '**::spark-2-image'`");
    await lab.up({ replace: ["**::spark-2-image"] });
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);
    expect(await lab.up({ refresh: true })).toEqual({});
});

test("memory that is not free yet is waited for", async () => {
    await labCommand("memory", "2", "50");
    await lab.configure({ masterPort: 29511 });
    let freed: Promise<unknown> | undefined;
    await lab.up({
        onOutput: () => {
            if (lab.output.includes("stopped dsv4-flash-vision-rank0 on spark-1")) {
                freed ??= labCommand("memory", "2", "102");
            }
        },
    });
    expect(freed).toBeDefined();
    await freed;
});

test("another stack's group is refused with its owner, then taken over where the stack says so", async () => {
    const before = await seenRanks();
    const other = await LabStack.create("lab-other");
    try {
        const output = await other.failing(() => other.up());
        expect(output).toMatch(
            /spark-2 +other-group: dsv4-flash-vision-rank1, a rank of organization\/spark-vllm\/lab-change, runs here/,
        );
        expect(output).toContain("Nothing was changed.");
        expect(await seenRanks()).toEqual(before);
        await other.configure({ launch: { takeOver: true } });
        await other.up();
        const after = await seenRanks();
        expect(shown(after)).toEqual(shown(before));
        expect(after.filter(({ id }) => ids(before).includes(id))).toEqual([]);
        expect(other.output).toContain(
            "stopped dsv4-flash-vision-rank0 of organization/spark-vllm/lab-change",
        );
    } finally {
        await other.remove();
    }
});
