import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { lab as labCommand, labConfig, onNode, seenRanks } from "./lab";
import { editedRecipe, LabStack } from "./stack";

// A mistake on a running pair: one clear message, an exit code, nothing deleted, nothing stopped.
jest.setTimeout(180_000);

let lab: LabStack;
let folder: string;
let good: Readonly<Record<string, unknown>>;
let running: string;

/** Container ids and start times: the same text means that nothing was touched. */
const fingerprint = async () =>
    (await seenRanks())
        .map(({ node, id, state, startedAt }) => [node, id, state, startedAt])
        .join("\n");

beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-bad-"));
    good = labConfig();
    lab = await LabStack.create("lab-bad");
    await lab.up();
    running = await fingerprint();
    expect(running).toContain("running");
});

afterEach(async () => {
    await lab.configure(good);
    expect(await fingerprint()).toBe(running);
});

afterAll(async () => {
    await lab.remove();
    rmSync(folder, { recursive: true });
});

/** Both preview and up refuse; returns what up displayed. */
async function refused(change: Readonly<Record<string, unknown>>): Promise<string> {
    await lab.configure(change);
    await lab.failing(() => lab.preview());
    const output = await lab.failing(() => lab.up());
    expect(output).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m); // no stack trace
    expect(output).not.toMatch(/\bdelet(e|ing|ed)\b/);
    expect(output).toContain("Nothing was changed");
    return output;
}

test("a recipe path that is not there: the nearest names", async () => {
    const output = await refused({ recipe: "dsv4-flash-visoin" });
    expect(output).toContain("dsv4-flash-visoin");
    expect(output).toMatch(/did you mean.*dsv4-flash-vision/);
});

test("a broken recipe: file, line and the fix", async () => {
    const recipe = editedRecipe(folder, 'shm_size = "32gb"', 'shm_sise = "32gb"');
    const output = await refused({ recipe });
    expect(output).toMatch(/recipe\.toml:\d+.*shm_sise/);
    expect(output).toContain("shm_size");
});

test("a recipe that is no TOML", async () => {
    const recipe = path.join(folder, "broken.toml");
    writeFileSync(recipe, 'engine = "vllm"\nargs = ["--a" "--b"]\n');
    expect(await refused({ recipe })).toMatch(/broken\.toml:2/);
});

test("an empty node list is an error, not the wish to remove all", async () => {
    expect(await refused({ nodes: [] })).toContain("nodes");
});

// What only the nodes can tell fails in preflight: preview, which contacts no node, still works.
const changed = () => editedRecipe(folder, '"--max-num-seqs", "2"', '"--max-num-seqs", "3"');

test("a node that does not answer: named, in bounded time", async () => {
    await lab.configure({ recipe: changed() });
    await labCommand("isolate", "2");
    try {
        const started = Date.now();
        const output = await lab.failing(() => lab.up());
        expect((Date.now() - started) / 1000).toBeLessThan(120);
        expect(output).toContain("spark-2");
        expect(output).toContain("Nothing was changed");
    } finally {
        await labCommand("rejoin", "2");
    }
});

test("a NAS that is not mounted: the node, the path, and no directory made in its place", async () => {
    await lab.configure({ recipe: changed() });
    await labCommand("umount", "2");
    try {
        const output = await lab.failing(() => lab.up());
        expect(output).toContain("spark-2");
        expect(output).toContain("/mnt/nas/ai/huggingface");
        expect(output).toContain("not a mount");
        expect(output).toContain("Nothing was changed");
        expect(await onNode("spark-2", "ls -A /mnt/nas/ai/huggingface")).toBe("");
    } finally {
        await labCommand("mount", "2");
    }
});
