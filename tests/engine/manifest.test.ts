import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { ImageContent, ImagePlan } from "../../components/plan";

import { labNodes, onNode, root, seenRanks } from "./lab";
import { editedRecipe, LabStack } from "./stack";

// The same image on every rank, by content: what stands under the image's tag on a node may be anything.
jest.setTimeout(180_000);

const [first = "", second = ""] = labNodes();
const bare = "spark-test-bare";
let lab: LabStack;
let folder: string;
let tag: string;

/** Puts another image under the tag of the group's, on one node. */
const replaceImage = (node: string, dockerfile: string, name = tag, platform = "linux/amd64") =>
    onNode(
        node,
        `printf '${dockerfile}' | docker build -q --platform ${platform} -t ${name} - 2>&1`,
    );

const restore = (node: string) => onNode(node, `docker tag spark-test-kept ${tag}`);

beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-manifest-"));
    lab = await LabStack.create("lab-manifest");
    tag = (await lab.plan()).image.tag;
    await lab.up();
    await onNode(second, `docker tag ${tag} spark-test-kept`);
});

afterAll(async () => {
    await lab.remove();
    await onNode(first, `docker image rm -f ${bare} >/dev/null`);
    await onNode(second, `docker image rm -f spark-test-kept ${bare} >/dev/null`);
    rmSync(folder, { recursive: true });
});

/** The step alone, as `up` runs it: what it prints, and its result. */
async function check(
    image: Partial<ImagePlan> = {},
): Promise<{ said: string; result?: ImageContent }> {
    const plan = await lab.plan();
    const nodes = plan.nodes.map(({ name, ssh }) => ({ name, ssh }));
    const input = { nodes, image: { ...plan.image, ...image }, owner: plan.owner };
    return new Promise((resolve) => {
        const step = execFile(
            process.execPath,
            ["scripts/host.js", "image-check"],
            { cwd: root },
            (error, stdout, said) => {
                resolve(error ? { said } : { said, result: JSON.parse(stdout) as ImageContent });
            },
        );
        step.stdin?.end(JSON.stringify(input));
    });
}

test("a built image carries the recipe's own name too", async () => {
    const [named, tagged] = await Promise.all(
        ["dsv4-flash-vision:local", tag].map((name) =>
            onNode(second, `docker image inspect -f "{{.Id}}" ${name}`),
        ),
    );
    expect(named).toBe(tagged);
});

test.each([
    [
        "other files of the engine",
        String.raw`FROM spark-test-kept\nRUN echo >> /opt/stand-in/vllm/__init__.py`,
        /spark-2 {2}files of vllm is [0-9a-f]{12} on spark-2 and [0-9a-f]{12} on spark-1/,
    ],
    [
        "a variable that the engine reads",
        String.raw`FROM spark-test-kept\nENV VLLM_PLUGINS=mine`,
        /spark-2 {2}variable VLLM_PLUGINS of dsv4-flash-vision:local-\w{12} is "mine" on spark-2 and "dsv4_vision" on spark-1/,
    ],
    [
        "the build of another context",
        String.raw`FROM spark-test-kept\nLABEL spark-vllm.context=0123456789abcdef`,
        /spark-2 {2}dsv4-flash-vision:local-\w{12} holds another build: its label spark-vllm.context is 0123456789ab/,
    ],
    [
        "an image for other machines",
        String.raw`FROM scratch\nLABEL a=b`,
        /spark-2 {2}dsv4-flash-vision:local-\w{12} is for linux\/arm64/,
    ],
])("%s is refused", async (_, dockerfile, message) => {
    const scratch = dockerfile.startsWith("FROM scratch");
    await replaceImage(second, dockerfile, tag, scratch ? "linux/arm64" : "linux/amd64");
    const { said } = await check();
    await restore(second);
    expect(said).toMatch(message);
});

test("an engine in a Python of its own is the one that is compared", async () => {
    const digest = (await lab.plan()).image.build?.digest ?? "";
    for (const node of [first, second]) {
        const steps = [
            "python3 -m venv --without-pip /opt/venv",
            "cd /opt/venv/lib/python3*/site-packages",
            `mkdir vllm; echo ${node} > vllm/__init__.py`,
            String.raw`printf "#!/opt/venv/bin/python3\\n" > /usr/local/bin/vllm`,
            "chmod +x /usr/local/bin/vllm",
        ];
        const label = `LABEL spark-vllm.context=${digest}`;
        const file = ["FROM spark-lab-engine-base:13", label, `RUN ${steps.join("; ")}`];
        await replaceImage(node, file.join(String.raw`\n`), bare);
    }
    expect((await check({ tag: bare })).said).toMatch(
        /spark-2 {2}files of vllm is [0-9a-f]{12} on/,
    );
});

test("an image without Python is told apart", async () => {
    const file = String.raw`FROM scratch\nLABEL a=b`;
    for (const node of [first, second]) {
        await replaceImage(node, file, bare);
    }
    const { result } = await check({ tag: bare, build: null });
    expect(result).toMatchObject({ digest: null, python: null, warnings: [] });
});

test("a package that resolved to another version on one node is refused, and the old group goes on", async () => {
    const folderOf = "/usr/lib/python3/dist-packages/extra-1.5.dist-info";
    await replaceImage(
        second,
        String.raw`FROM spark-test-kept\nRUN mkdir -p ${folderOf}; printf "Name: extra\\nVersion: 1.5\\n" > ${folderOf}/METADATA`,
    );
    const before = await seenRanks();
    await lab.configure({
        recipe: editedRecipe(folder, '"--max-num-seqs", "2"', '"--max-num-seqs", "3"'),
    });
    const said = await lab.failing(() => lab.up());
    await restore(second);
    expect(said).toContain("spark-2  extra is 1.5 on spark-2 and absent on spark-1");
    expect(said).toContain("Nothing that serves was stopped.");
    expect(await seenRanks()).toEqual(before);
});

test("an image removed by hand is missed before anything stops, and made anew as the message says", async () => {
    await onNode(second, `docker image rm -f ${tag}`);
    expect((await check()).said).toMatch(
        /spark-2 {2}there is no image dsv4-flash-vision:local-\w{12}/,
    );
    await lab.stack.up({ replace: [`**::${second}-image`] });
    expect(await onNode(second, `docker image inspect -f "{{.RepoTags}}" ${tag}`)).toContain(tag);
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);
    const left = "docker ps -aq --filter label=spark-vllm.step";
    expect([await onNode(first, left), await onNode(second, left)]).toEqual(["", ""]);
    expect(await lab.up()).toEqual({});
});

test("a dead rank whose tag leads to other content by now is not made anew beside the other", async () => {
    const before = await seenRanks();
    await onNode(second, `docker kill ${before[1]?.id ?? ""}; docker tag ${tag} spark-test-kept`);
    await replaceImage(
        second,
        String.raw`FROM spark-test-kept\nRUN echo >> /opt/stand-in/vllm/__init__.py`,
    );
    const said = await lab.failing(() => lab.up({ refresh: true }));
    await restore(second);
    expect(said).toMatch(/spark-2 {2}files of vllm is [0-9a-f]{12} on spark-2 and [0-9a-f]{12} on/);
    expect(said).toContain("The ranks that still run were left as they are.");
    expect((await seenRanks())[0]).toEqual(before[0]);
    await lab.up({ refresh: true });
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);
});

test("an image that was built once more is looked at again; the ranks go on", async () => {
    const before = await seenRanks();
    // Without its cache Docker makes another image of the same files.
    await onNode(second, "docker builder prune -af >/dev/null");
    const changes = await lab.up({ replace: [`**::${second}-image`] });
    expect(changes).toMatchObject({ "image-check": "replace" });
    expect(changes).not.toHaveProperty(`${second}-rank`);
    expect(await seenRanks()).toEqual(before);
    expect(await lab.up()).toEqual({});
});
