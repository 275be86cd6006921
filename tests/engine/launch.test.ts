import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { completion, lab as labCommand, seenRanks } from "./lab";
import { editedRecipe, LabStack } from "./stack";

// What a launch says when a rank fails, and that a later one mends it; each test stands on the one before it.
jest.setTimeout(180_000);

let lab: LabStack;
let folder: string;

const states = async () => (await seenRanks()).map(({ state }) => state);

beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-launch-"));
    lab = await LabStack.create("lab-launch");
});

afterAll(async () => {
    await labCommand("fault", "1", "clear");
    await labCommand("fault", "2", "clear");
    await lab.remove();
    rmSync(folder, { recursive: true });
});

test("a rank's exit ends it at once: node, rank, code, last lines; no half group is left", async () => {
    await labCommand("fault", "2", "exit 3 at load");
    const output = await lab.failing(() => lab.up());
    expect(output).toMatch(/spark-2 .*rank 1 exited with code 3/);
    expect(output).toContain("last lines of its log");
    expect(output).toContain("The group does not serve; what served before it was stopped.");
    expect(output).not.toContain("Nothing was changed");
    expect(await states()).toEqual(["exited", "exited"]);
});

test("the next up starts all ranks together", async () => {
    await labCommand("fault", "2", "clear");
    expect(await lab.up()).toEqual({ launch: "create", smoke: "create", prune: "create" });
    expect(await states()).toEqual(["running", "running"]);
    expect(await completion()).toMatchObject({ status: 200 });
});

test("a healthy API without a token is no service", async () => {
    await labCommand("fault", "1", "health-only");
    await lab.configure({
        launch: { completionTimeoutSeconds: 5 },
        recipe: editedRecipe(folder, '"--max-num-seqs", "2"', '"--max-num-seqs", "4"'),
    });
    const output = await lab.failing(() => lab.up());
    expect(output).toMatch(/no token comes after \d+ s: no completion within 5 s/);
    await labCommand("fault", "1", "clear");
    await lab.up();
    expect(await completion()).toMatchObject({ status: 200 });
});

test("a part of the group cannot be changed alone", async () => {
    await lab.configure({
        recipe: editedRecipe(folder, '"--max-num-seqs", "2"', '"--max-num-seqs", "6"'),
    });
    const types = "spark-vllm:index:Cluster$spark-vllm:index:Node$docker:index/container:Container";
    const rank = (node: string) => [`urn:pulumi:lab-launch::spark-vllm::${types}::${node}-rank`];
    const target = rank("spark-2");
    expect(await lab.failing(() => lab.up({ target, targetDependents: true }))).toContain(
        "all ranks of one plan",
    );
    expect(await lab.failing(() => lab.up({ exclude: rank("spark-1") }))).toContain(
        "all ranks of one plan",
    );
    await lab.up();
    expect(await states()).toEqual(["running", "running"]);
    expect(await lab.up({ refresh: true })).toEqual({});
});
