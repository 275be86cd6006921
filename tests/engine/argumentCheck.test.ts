import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { checkArguments } from "../../components/host/argumentCheck";
import type { StackPlan } from "../../components/plan";
import { labConfig, labNodes, onNode, root, type SeenRank, seenRanks } from "./lab";
import { editedRecipe, LabStack } from "./stack";

// The new image's own parser judges the arguments while the old group serves; each test stands on the one before it.
jest.setTimeout(180_000);

let lab: LabStack;
let folder: string;
let running: readonly SeenRank[];
let plan: StackPlan;

const [head = "", worker = ""] = labNodes();
const label = "label=spark-vllm.argument-check";
const left = (node: string) => onNode(node, `docker ps -aq --filter ${label}`);

beforeAll(async () => {
    process.chdir(root);
    folder = mkdtempSync(path.join(tmpdir(), "spark-arguments-"));
    lab = await LabStack.create("lab-arguments");
    await lab.up();
    running = await seenRanks();
    plan = await lab.plan();
});

afterAll(async () => {
    await lab.remove();
    rmSync(folder, { recursive: true });
});

test("an unknown flag: the engine's own words, once for all nodes; the old group is untouched", async () => {
    const flag = '"--max-num-seqs", "2", "--no-such-flag", "1"';
    await lab.configure({ recipe: editedRecipe(folder, '"--max-num-seqs", "2"', flag) });
    const output = await lab.failing(() => lab.up());
    expect(output).toMatch(/all nodes +the image's own parser refuses the arguments/);
    expect(output).toContain("| vllm: error: unrecognized arguments: --no-such-flag 1");
    expect(output).toContain("what served before still serves");
    expect(await seenRanks()).toEqual(running);
    expect(await Promise.all(labNodes().map(left))).toEqual(["", ""]);
});

test("without the flag no rank is to be changed", async () => {
    await lab.configure(labConfig());
    // Preflight and the look at the images passed with the other plan.
    expect(await lab.up()).toEqual({ "image-check": "replace", preflight: "update" });
    expect(await seenRanks()).toEqual(running);
});

/** The check of the head's arguments in another image on its node. */
function check(tag: string, signal?: AbortSignal, groupId = "test") {
    const nodes = plan.nodes.slice(0, 1);
    const image = { tag, platform: plan.image.platform };
    return checkArguments({ groupId, image, nodes }, signal === undefined ? {} : { signal });
}

const slow = "spark-lab-slow:1";

test("images are told apart", async () => {
    await onNode(head, "tar c --files-from /dev/null | docker import - spark-lab-empty:1");
    const verdicts = await Promise.all(
        [plan.image.tag, "spark-lab-engine-base:13", "spark-lab-empty:1", "no-such:1"].map(
            // Groups of their own: a check removes what an earlier one of its group left.
            async (tag) => (await check(tag, undefined, tag.replace(/\W/g, "-")))[0]?.verdict,
        ),
    );
    expect(verdicts).toEqual([
        { kind: "accepted" },
        { kind: "skipped", why: expect.stringContaining("no vllm package") as string },
        { kind: "skipped", why: "the image has no shell or no Python to ask" },
        { kind: "no-image" },
    ]);
    const image = { tag: plan.image.tag, platform: "linux/s390x" };
    const [rank] = await checkArguments({ groupId: "test", image, nodes: plan.nodes.slice(1) });
    expect(rank).toMatchObject({ node: worker, rank: 1, verdict: { kind: "platform" } });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + 30_000;
    while (!(await condition())) {
        if (Date.now() > end) throw new Error("this did not come about within 30 s");
    }
}

test("a check that is ended leaves no container, and the next finds what a killed one left", async () => {
    const sleeping = "import time; time.sleep(100)";
    await onNode(
        head,
        `docker create --name slow ${plan.image.tag} && echo '${sleeping}' >/tmp/slow.py && ` +
            `docker cp /tmp/slow.py slow:/opt/stand-in/vllm/__init__.py && docker commit slow ${slow} && docker rm slow`,
    );
    const end = new AbortController();
    const ended = expect(check(slow, end.signal)).rejects.toThrow("enough");
    await until(async () => (await onNode(head, `docker ps -q --filter ${label}`)) !== "");
    end.abort(new Error("enough"));
    await ended;
    await until(async () => (await left(head)) === "");
    await onNode(
        head,
        `docker run -d --label spark-vllm.argument-check=test --entrypoint sleep ${slow} 100`,
    );
    expect((await check(plan.image.tag))[0]?.verdict).toEqual({ kind: "accepted" });
    expect(await left(head)).toBe("");
    await onNode(head, `docker rmi ${slow} spark-lab-empty:1`);
});
