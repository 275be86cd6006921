import { execFile } from "node:child_process";

import { lab as labCommand, root, type SeenRank, seenRanks } from "./lab";
import { LabStack } from "./stack";

// The gates after a launch; each test stands on the one before it.
jest.setTimeout(180_000);

let lab: LabStack;
let running: readonly SeenRank[];

beforeAll(async () => {
    lab = await LabStack.create("lab-smoke");
});

afterAll(async () => {
    await labCommand("fault", "1", "clear");
    await lab.remove();
});

interface Gate {
    readonly gate: string;
    readonly seconds: number;
    readonly tokens: number;
    readonly tokensPerSecond: number;
    readonly note?: string;
    readonly lowestMemory?: readonly { node: string; gib: number }[];
}

async function gates(): Promise<readonly Gate[]> {
    return (await lab.stack.outputs())["smoke"]?.value as readonly Gate[];
}

test("up ends with the gates of the recipe and the image", async () => {
    await lab.up();
    running = await seenRanks();
    const found = await gates();
    expect(found.map(({ gate }) => gate)).toEqual(["text", "streaming", "tool-call", "image"]);
    for (const { gate, tokens, tokensPerSecond } of found) {
        expect(tokens).toBeGreaterThan(0);
        expect(tokensPerSecond).toBeGreaterThan(0);
        expect(lab.output).toMatch(
            new RegExp(`spark-1 +gate ${gate}: [\\d.]+ s, \\d+ tokens, [\\d.]+ tokens/s`),
        );
    }
    expect(found[3]?.note).toBe("an image costs 384 tokens");
});

test("a long prompt and a soak run where the stack asks for them, and nothing else does", async () => {
    await lab.configure({ launch: { longPromptFraction: 0.02, soakMinutes: 0.05 } });
    expect(await lab.up()).toEqual({ smoke: "update" });
    const [, , , , long, soak] = await gates();
    // 2 % of 1,048,576.
    expect(long?.note).toMatch(/^a prompt of (19|20)\d{3} tokens, the model takes 1048576$/);
    expect(soak?.seconds).toBeGreaterThanOrEqual(3);
    expect(soak?.lowestMemory).toEqual([
        { node: "spark-1", gib: 102 },
        { node: "spark-2", gib: 102 },
    ]);
    expect(await seenRanks()).toEqual(running);
    expect(await lab.up()).toEqual({});
});

test("a gate that fails fails up, and the group stays for a look", async () => {
    await labCommand("fault", "1", "completion-500");
    await lab.configure({ launch: {} });
    const output = await lab.failing(() => lab.up());
    expect(output).toMatch(
        /spark-1 +gate text: \/v1\/chat\/completions answers 500: fault order: completion-500/,
    );
    expect(output).toMatch(/spark-1 +gate streaming: a stream of .* answers 500/);
    expect(output).toContain("4 problems. The group runs and was left running, for a look.");
    expect(await seenRanks()).toEqual(running);
});

/** Runs `spark smoke` on the stack. */
function command(): Promise<{ code: number; stdout: string; stderr: string }> {
    const args = ["scripts/spark.js", "smoke", "--stack", lab.stack.name, "--json"];
    return new Promise((resolve) => {
        execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) => {
            resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        });
    });
}

test("spark smoke asks the running group", async () => {
    const { code, stdout } = await command();
    expect(code).toBe(1);
    const { issues } = JSON.parse(stdout) as { issues: readonly { code: string }[] };
    expect(issues.map((issue) => issue.code)).toEqual(Array(4).fill("gate-failed"));
    await labCommand("fault", "1", "clear");
    const well = await command();
    expect(well.code).toBe(0);
    const found = JSON.parse(well.stdout) as { gates: readonly Gate[] };
    expect(found.gates.map(({ gate }) => gate)).toEqual([
        "text",
        "streaming",
        "tool-call",
        "image",
    ]);
});

test("the next up asks again, and then there is nothing to do", async () => {
    expect(await lab.up()).toEqual({ smoke: "update" });
    expect(await lab.up()).toEqual({});
    expect(await seenRanks()).toEqual(running);
});
