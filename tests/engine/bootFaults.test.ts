import { watchRank } from "../../components/host/watchRank";
import type { StackPlan } from "../../components/plan";
import { completion, lab as labCommand, onNode, root, type SeenRank, seenRanks } from "./lab";
import { type LaunchRun, runLaunch } from "./launchStep";
import { LabStack } from "./stack";

// What a launch makes of every way in which a boot can fail. The ranks are made once by the engine; each test
// runs the launch step on them, which starts both anew.
jest.setTimeout(120_000);

let lab: LabStack;
let plan: StackPlan;

const fault = (node: number, ...orders: readonly string[]) =>
    labCommand(
        "fault",
        String(node),
        ...orders.flatMap((order, n) => (n === 0 ? [order] : ["+", order])),
    );
const states = async () => (await seenRanks()).map(({ state }) => state);
const startTimes = (ranks: readonly SeenRank[]) => ranks.map(({ startedAt }) => startedAt);

/** Milliseconds between the end of a rank's container and the end of the launch; the nodes share our clock. */
async function delay(node: number, { endedAt }: LaunchRun): Promise<number> {
    const name = plan.nodes[node - 1]?.rank.containerName ?? "";
    const format = "docker inspect -f '{{.State.FinishedAt}}' " + name;
    return endedAt - Date.parse(await onNode(`spark-${String(node)}`, format));
}

beforeAll(async () => {
    lab = await LabStack.create("lab-boot");
    await lab.up();
    plan = await lab.plan();
});

/** A launch would only wait on a group that runs. */
beforeEach(async () => {
    await Promise.all(
        (await seenRanks())
            .filter(({ state }) => state === "running")
            .map(({ node, id }) => onNode(node, `docker kill ${id}`)),
    );
});

afterEach(async () => {
    await fault(1, "clear");
    await fault(2, "clear");
});

afterAll(async () => {
    await labCommand("memory", "2", "102");
    await lab.remove();
});

test.each<[rank: 0 | 1, order: string, text: RegExp]>([
    [1, "exit 3 at start", /rank 1 exited with code 3/],
    [1, "exit 2 at args", /rank 1 exited with code 2/],
    [0, "exit 1 at rendezvous", /rank 0 exited with code 1/],
    [1, "oom at load", /rank 1 exited with code 137[\s\S]*--load-format instanttensor/],
    [0, "exit 1 at kv", /rank 0 exited with code 1/],
    [0, "exit 0 at ready", /rank 0 exited with code 0 \(the engine exits with 0 when a peer/],
])("rank %i, %s: told within 5 s, and the other is stopped", async (rank, order, text) => {
    await fault(rank + 1, order);
    const run = await runLaunch(plan);
    expect(run.code).toBe(1);
    expect(run.output).toMatch(text);
    expect(run.output).toMatch(new RegExp(`^spark-${String(rank + 1)} `, "m"));
    expect(await delay(rank + 1, run)).toBeLessThan(5000);
    expect(await states()).toEqual(["exited", "exited"]);
});

test("a line that never ends well: told although the rank hangs, with advice", async () => {
    const line = "NCCL WARN Call to ibv_reg_mr_iova2 failed with error Cannot allocate memory";
    await fault(2, `print ${line} at load`, "hang at load");
    const run = await runLaunch(plan);
    expect(run.output).toMatch(/rank 1 said what never ends well \(NCCL WARN/);
    expect(run.output).toContain("CmaFree above CmaTotal");
    expect(await states()).toEqual(["exited", "exited"]);
});

test("memory that runs out while weights load: stopped before the kernel kills", async () => {
    await fault(2, "hang at load");
    await labCommand("memory", "2", "3");
    const run = await runLaunch(plan);
    await labCommand("memory", "2", "102");
    expect(run.output).toMatch(/rank 1 left 3\.0 GiB of memory available on the node/);
    expect(await states()).toEqual(["exited", "exited"]);
});

test("a rank that someone starts anew ends the launch", async () => {
    await fault(1, "hang at load");
    let restarted: Promise<unknown> | undefined;
    const run = await runLaunch(plan, {
        onOutput: (output) => {
            if (!output.includes("2 ranks started together")) return;
            const name = plan.nodes[1]?.rank.containerName ?? "";
            restarted ??= onNode("spark-2", `docker restart -t 0 ${name}`);
        },
    });
    await restarted;
    expect(run.output).toMatch(/rank 1 was started anew by someone else/);
    expect(await states()).toEqual(["exited", "exited"]);
});

test("a rank that was started anew before its log is followed", async () => {
    const name = "spark-test-anew";
    const image = "spark-lab-engine-base:13";
    const format = "docker inspect -f '{{.Id}} {{.State.StartedAt}}'";
    await onNode("spark-2", `docker run -d --name ${name} ${image} sleep 300`);
    try {
        const [id = "", startedAt = ""] = (await onNode("spark-2", `${format} ${name}`)).split(" ");
        await onNode("spark-2", `docker restart -t 0 ${name}`);
        process.chdir(root);
        const end = await watchRank(
            plan.nodes[1]!,
            { id, startedAt },
            {
                ...{ onLine: () => undefined, onMemory: () => undefined, onOom: () => undefined },
                signal: AbortSignal.timeout(20_000),
            },
        );
        expect(end).toEqual({ kind: "restarted" });
    } finally {
        await onNode("spark-2", `docker rm -f ${name}`);
    }
});

test("silence is reported with each node's memory, and nothing is stopped", async () => {
    await fault(2, "hang at load");
    let ranks: readonly SeenRank[] = [];
    let cleared: Promise<unknown> | undefined;
    const run = await runLaunch(plan, {
        launch: { stallSeconds: 2 },
        expected: { weightsGib: 50, tolerance: 0.1 },
        onOutput: (output) => {
            if (!/spark-2 {2}102\.0 of 121\.7 GiB available.*; last line: /.test(output)) return;
            cleared ??= seenRanks().then((seen) => {
                ranks = seen;
                return fault(2, "clear");
            });
        },
    });
    await cleared;
    expect(run.output).toMatch(/no news from any rank for \d+ s; nothing is stopped/);
    expect(run.code).toBe(0);
    expect(startTimes(await seenRanks())).toEqual(startTimes(ranks));
    expect(run.output).toContain("warning: spark-1: weights of 84.0 GiB, 68 % more than the image");
    expect(run.result?.ranks.map(({ weightsGib }) => weightsGib)).toEqual([84.02, 84.02]);
    expect(run.result?.warnings).toHaveLength(2);
});

test("the time limit stops nothing; the next launch waits on", async () => {
    await fault(1, "slow-boot 12");
    await fault(2, "slow-boot 12");
    const first = await runLaunch(plan, { launch: { timeoutSeconds: 4 } });
    expect(first.output).toMatch(/still running, not ready after \d+ s/);
    expect(first.output).toMatch(/spark-1, \d+ s ago \| .*checkpoint shards/);
    const between = await seenRanks();
    expect(between.map(({ state }) => state)).toEqual(["running", "running"]);
    const second = await runLaunch(plan, { environment: { SPARK_VERBOSE: "1" } });
    expect(second.output).toContain("all ranks run since their launch: waiting on");
    // Every line is shown, those that tell nothing of the boot too.
    expect(second.output).toMatch(/spark-2 {2}\| .*rank 1 in world size 2/);
    expect(second.result?.bootSeconds).toBeGreaterThanOrEqual(12);
    expect(startTimes(await seenRanks())).toEqual(startTimes(between));
});

test("a completion that fails is told as such, and nothing is stopped", async () => {
    await fault(1, "completion-500");
    const run = await runLaunch(plan);
    expect(run.output).toMatch(/the ranks run, but no token comes .*a completion answers 500/);
    expect(await states()).toEqual(["running", "running"]);
    await fault(1, "clear");
    const next = await runLaunch(plan);
    expect(next.output).toContain("waiting on");
    expect(await completion()).toMatchObject({ status: 200 });
});

test("a rank removed by hand: the launch ends and says so", async () => {
    const before = await seenRanks();
    await fault(1, "hang at load");
    let removed: Promise<unknown> | undefined;
    const run = await runLaunch(plan, {
        onOutput: (output) => {
            if (!output.includes("2 ranks started together")) return;
            removed ??= onNode("spark-2", `docker rm -f ${before[1]?.id ?? ""}`);
        },
    });
    await removed;
    expect(run.output).toMatch(/rank 1 is gone: its container was removed/);
});
