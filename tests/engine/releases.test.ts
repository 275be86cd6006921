import { appendFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";

import { labNodes, labConfig, onNode, root } from "./lab";
import { LabStack } from "./stack";

// One image after another on two simulated nodes, and what stays of each: each test stands on the one before it.
jest.setTimeout(180_000);

const images = path.join(root, "docker-images");
const caches = "/root/.cache/dsv4vision-jit";
const folders: string[] = [];
let lab: LabStack;

/** A copy of the stand-in's folder with some text at the end of one file; its name under docker-images/. */
function changedImage(file: string, text: string): string {
    const folder = mkdtempSync(path.join(images, "test-release-"));
    folders.push(folder);
    cpSync(path.join(images, "stand-in"), folder, { recursive: true });
    appendFileSync(path.join(folder, file), text);
    return path.basename(folder);
}

const useImage = (dir: string) =>
    lab.configure({ image: { ...(labConfig()["image"] as object), dir } });

/** The same line on every node; what each says. */
const onEach = (line: string) => Promise.all(labNodes().map((node) => onNode(node, line)));

/** Id and time of the image that the ranks run. */
const rankImages = () =>
    onEach(
        "docker inspect -f '{{.Image}} {{.Config.Image}}' $(docker ps -q --filter label=spark-vllm.rank)",
    );

beforeAll(async () => {
    await onEach(`rm -rf ${caches}`);
    lab = await LabStack.create("lab-releases");
});

afterAll(async () => {
    await lab.remove();
    for (const folder of folders) rmSync(folder, { recursive: true });
    await onEach(`rm -rf ${caches}*`);
});

let first: readonly string[];

test("the first start is told to be cold, and leaves caches with a stamp", async () => {
    await lab.up();
    expect(lab.output).toContain("cold JIT unless the nodes have caches of this kind");
    first = await rankImages();
    const [stamp = "", ...others] = await onEach(
        `cat ${caches}/*/.spark-vllm-stamp | sort | uniq -c`,
    );
    expect(stamp).toMatch(/^ *3 [0-9a-f]{12}$/);
    expect(others).toEqual([stamp]);
    // As a rank does it: as root, with a lock that nobody gives back.
    await onEach(
        `mkdir ${caches}/triton/k; touch ${caches}/triton/k/kernel ${caches}/triton/k/lock`,
    );
});

test("another image: the caches are set aside", async () => {
    await useImage(changedImage("vllm/__init__.py", "# other code\n"));
    const preview = await lab.preview();
    expect(preview).toMatchObject({
        "spark-1-image": "replace",
        "spark-2-image": "replace",
        "spark-1-rank": "replace",
        "spark-2-rank": "replace",
    });
    expect(lab.output).toContain("cold JIT if the image's torch");
    expect(await lab.up()).toEqual(preview);
    expect(lab.output).toMatch(/JIT cache \/root\/.cache\/dsv4vision-jit\/triton set aside as/);
    expect(await onEach(`ls ${caches}/triton; ls ${caches}/triton.*/k`)).toEqual([
        "kernel\nlock",
        "kernel\nlock",
    ]);
});

test("the way back: no image is built, the caches are put back, a stale lock is gone", async () => {
    await useImage("stand-in");
    await lab.preview();
    expect(lab.output).toContain("are put back");
    await lab.up();
    expect(await rankImages()).toEqual(first);
    expect(await onEach(`ls ${caches}/triton/k`)).toEqual(["kernel", "kernel"]);
    expect(await lab.up()).toEqual({});
});
