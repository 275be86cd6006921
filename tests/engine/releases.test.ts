import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

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

const useImage = (dir: string, more: object = {}) =>
    lab.configure({ image: { ...(labConfig()["image"] as object), dir, ...more } });

/** The same line on every node; what each says. */
const onEach = (line: string) => Promise.all(labNodes().map((node) => onNode(node, line)));

/** Id and time of the image that the ranks run. */
const rankImages = () =>
    onEach(
        "docker inspect -f '{{.Image}} {{.Config.Image}}' $(docker ps -q --filter label=spark-vllm.rank)",
    );

/** What `spark prune` writes. */
async function prune(...args: readonly string[]): Promise<string> {
    const words = ["scripts/spark.js", "prune", "--stack", lab.stack.name, ...args];
    return (await promisify(execFile)(process.execPath, words, { cwd: root })).stdout;
}

/** Runs one of the program's scripts on the first node as a user who is no root but may use Docker. */
function asPlainUser(script: string, ...args: readonly string[]): Promise<string> {
    const text = readFileSync(path.join(root, "components/host", script)).toString("base64");
    const line = `echo ${text} | base64 -d | su plain -c "sh -s -- ${args.join(" ")}"`;
    return onNode(labNodes()[0] ?? "", line);
}

beforeAll(async () => {
    // Notes of other tests' stacks would keep their images; what lost its tag there is nobody's.
    await onEach(
        `rm -rf ${caches}* ~/.cache/spark-vllm; docker image prune -f --filter label=spark-vllm.context`,
    );
    lab = await LabStack.create("lab-releases");
});

afterAll(async () => {
    await lab.remove();
    for (const folder of folders) rmSync(folder, { recursive: true });
    await onEach(`rm -rf ${caches}*`);
});

let first: readonly string[];
/** Tag and stamp of the second image. */
let second: { readonly tag: string; readonly stamp: string };

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
        "spark-1-image": "update",
        "spark-2-image": "update",
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
    const [stamp = ""] = await onEach(`cat ${caches}/triton/.spark-vllm-stamp`);
    second = { tag: (await lab.plan()).image.tag, stamp };
    await onEach(`touch ${caches}/triton/other-kernel`);
    // As if a change had been interrupted between its two renames.
    await onNode(labNodes()[0] ?? "", `mv ${caches}/triton ${caches}/triton.${stamp}`);
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

test("a third image with retain 2: the second goes with its caches, unless a container uses it", async () => {
    const [, last = ""] = labNodes();
    const aside = `${caches}/triton.${second.stamp}`;
    // Never started; a stranger's.
    await onNode(last, `docker create --name stranger -v ${aside}:/kernels ${second.tag}`);
    await useImage(changedImage("vllm/__init__.py", "# a third code\n"), { retain: 2 });
    await lab.configure({ purge: ["images", "caches"] });
    await lab.up();
    expect(lab.output).toMatch(new RegExp(`spark-1 +removed image .*${second.tag}`));
    expect(lab.output).toMatch(/spark-1 +removed JIT cache /);
    const there = `docker images -q ${second.tag} | wc -l; ls -d ${aside} 2>/dev/null | wc -l`;
    expect(await onEach(there)).toEqual(["0\n0", "1\n1"]);
    // The first is among the last two.
    const tags = first.map((line) => line.split(" ")[1] ?? "");
    const ids = await onEach(`docker image inspect -f '{{.Id}}' ${tags[0] ?? ""}`);
    expect(ids).toEqual(first.map((line) => line.split(" ")[0]));
    expect(await lab.up()).toEqual({});
});

test("prune shows what is older, and takes it once no container uses it", async () => {
    const [, last = ""] = labNodes();
    expect(await prune("--dry-run")).toBe("Nothing to remove.\n");
    await onNode(last, "docker rm stranger");
    const shown = await prune("--dry-run");
    expect(shown).toMatch(new RegExp(`^spark-2 +image .*${second.tag}`));
    expect(await onNode(last, `docker images -q ${second.tag} | wc -l`)).toBe("1");
    expect(await prune("--yes")).toBe(`${shown}Removed.\n`);
    expect(await onNode(last, `docker images -q ${second.tag} | wc -l`)).toBe("0");
    expect(await prune("--yes")).toBe("Nothing to remove.\n");
});

test("a login user who is no root: root's caches are set aside, found again and removed", async () => {
    const [node = ""] = labNodes();
    const cache = "/home/plain/.cache/jit/triton";
    await onNode(
        node,
        "getent group docker >/dev/null || groupadd docker; chgrp docker /var/run/docker.sock; useradd -m -s /bin/sh -G docker plain",
    );
    try {
        await asPlainUser("caches.sh", cache);
        await asPlainUser("cachesPlace.sh", "place fresh aaaaaaaaaaaa test", cache);
        // A rank's, with modes that lock others out.
        await onNode(node, `umask 077; mkdir ${cache}/k; touch ${cache}/k/lock ${cache}/k/kernel`);
        expect(await asPlainUser("cachesPlace.sh", "check fresh bbbbbbbbbbbb", cache)).toBe("");
        await asPlainUser("cachesPlace.sh", "place fresh bbbbbbbbbbbb test", cache);
        expect(await onNode(node, `ls ${cache} ${cache}.aaaaaaaaaaaa/k`)).toContain("kernel");
        const back = await asPlainUser("cachesPlace.sh", "place fresh aaaaaaaaaaaa test", cache);
        expect(back).toContain(`locks\t${cache}\tunreadable`);
        const { tag } = (await lab.plan()).image;
        await asPlainUser("asRoot.sh", "locks", tag, cache);
        expect(await onNode(node, `ls ${cache}/k`)).toBe("kernel");
        await asPlainUser("asRoot.sh", "remove", tag, cache);
        expect(await onNode(node, `ls ${path.dirname(cache)}`)).toBe("");
    } finally {
        await onNode(node, "userdel -r plain 2>/dev/null || true");
    }
});

test("destroy with purge takes this program's images and caches, and nobody else's", async () => {
    await onEach(
        "printf 'FROM scratch\\nLABEL spark-vllm.note=mine\\n' | docker build -q -t mine:local - >/dev/null",
    );
    await lab.destroy();
    expect(await onEach("docker images -q --filter label=spark-vllm.context")).toEqual(["", ""]);
    expect(await onEach(`find ${caches}* -mindepth 1 2>/dev/null | wc -l`)).toEqual(["0", "0"]);
    expect(await onEach("ls ~/.cache/spark-vllm 2>/dev/null | wc -l")).toEqual(["0", "0"]);
    expect(await onEach("docker rmi mine:local | head -n 1")).toEqual([
        "Untagged: mine:local",
        "Untagged: mine:local",
    ]);
});
