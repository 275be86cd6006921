import { type ChildProcess, spawn } from "node:child_process";

import { completion, lab as labCommand, onNode, root, seenRanks } from "./lab";
import { LabStack } from "./stack";

// Runs that end before their time: killed while ranks are made, and by Ctrl-C while the group boots.
jest.setTimeout(180_000);

let lab: LabStack;

beforeAll(async () => {
    lab = await LabStack.create("lab-interrupted");
});

afterAll(async () => {
    await labCommand("fault", "1", "clear");
    await labCommand("fault", "2", "clear");
    await lab.remove();
});

/** `pulumi up` as a shell runs it, in a process group of its own. */
function startUp(): { process: ChildProcess; output: () => string; ended: Promise<number | null> } {
    const args = ["up", "--yes", "--skip-preview", "--stack", lab.stack.name];
    const child = spawn("pulumi", args, { cwd: root, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
        stream.on("data", (data: Buffer) => (output += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { process: child, output: () => output, ended };
}

/** Looks again until it is so. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals) =>
    process.kill(-(pid ?? 0), signal);

test("killed while ranks are made: the next up sweeps its own leftovers and serves", async () => {
    const run = startUp();
    await until(
        async () =>
            (await onNode("spark-2", "docker ps -aq --filter label=spark-vllm.rank")) !== "",
    );
    signalGroup(run.process, "SIGKILL");
    await run.ended;
    await lab.stack.cancel();
    await lab.up();
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);
    expect(await completion()).toMatchObject({ status: 200 });
});

test("Ctrl-C while the group boots: says what runs on, and the next up waits on", async () => {
    for (const node of ["1", "2"]) await labCommand("fault", node, "slow-boot", "15");
    await lab.configure({ masterPort: 29511 });
    const run = startUp();
    await until(() => run.output().includes("2 ranks started together"));
    const ranks = await seenRanks();
    const stoppedAt = Date.now();
    signalGroup(run.process, "SIGINT");
    expect(await run.ended).not.toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(15_000);
    expect(run.output()).toMatch(/the launch was ended .*the ranks go on booting on all nodes/);
    await lab.up();
    expect(lab.output).toContain("all ranks run since their launch: waiting on");
    expect(await seenRanks()).toEqual(ranks);
});
