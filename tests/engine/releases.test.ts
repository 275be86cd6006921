import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
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

/** What `spark prune` writes for someone at a terminal, who answers its question. */
async function pruneAnswered(answer: string): Promise<{ code: number | null; said: string }> {
    const line = `"${process.execPath}" scripts/spark.js prune --stack ${lab.stack.name}`;
    const terminal = spawn("script", ["-qec", line, "/dev/null"], { cwd: root });
    let said = "";
    terminal.stdout.on("data", (chunk: Buffer) => {
        said += String(chunk);
        if (String(chunk).includes("[y/N]")) terminal.stdin.write(`${answer}\n`);
    });
    const [code] = (await once(terminal, "close")) as [number | null];
    return { code, said };
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
    // Built before Docker forgot what it had built: the first start takes its names.
    const { tag, reference, build } = (await lab.plan()).image;
    const label = `LABEL spark-vllm.context=${build?.digest ?? ""}`;
    // With a layer of its own: without one, Docker says that it is as old as its base.
    const file = `FROM spark-lab-engine-base:13\\n${label}\\nRUN touch /older`;
    await onNode(
        labNodes()[1] ?? "",
        `printf '${file}' | docker build -q -t ${tag} -t ${reference} - 2>&1`,
    );
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
    const dir = changedImage("vllm/__init__.py", "# other code\n");
    await useImage(dir);
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
    const { tag, build } = (await lab.plan()).image;
    second = { tag, stamp };
    // As another user's checkout has it: of another time, with another umask.
    const run = promisify(execFile);
    await run("chmod", ["-R", "g+w,o-rwx", path.join(images, dir)]);
    await run("find", [path.join(images, dir), "-exec", "touch", "-d", "2020-01-01", "{}", "+"]);
    rmSync(path.join(root, ".state/contexts", build?.digest ?? ""), { recursive: true });
    expect(await lab.preview()).toEqual({});
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

test("another revision of the model, and back: the ranks alone are replaced", async () => {
    const own = labConfig()["model"] as { readonly revision: string };
    const revision = "1".repeat(40);
    const snapshots = "/mnt/nas/ai/huggingface/hub/models--*/snapshots";
    const [node = ""] = labNodes();
    const seen = () => Promise.all([rankImages(), onEach(`ls ${caches} ${caches}/triton`)]);
    const before = await seen();
    await onNode(node, `cd ${snapshots} && cp -a ${own.revision} ${revision}`);
    try {
        // A node may have looked just before, and keep what it saw for some seconds.
        await onEach(`until [ -d ${snapshots}/${revision} ]; do sleep 0.5; done`);
        await lab.configure({ model: { revision } });
        const preview = await lab.preview();
        expect(Object.keys(preview).filter((name) => name.endsWith("-image"))).toEqual([]);
        expect(preview).toMatchObject({ "spark-1-rank": "replace", "spark-2-rank": "replace" });
        expect(lab.output).toContain(`${own.revision} -> ${revision}`);
        expect(await lab.up()).toEqual(preview);
        expect(await seen()).toEqual(before);
        const words =
            "docker inspect -f '{{json .Args}}' $(docker ps -q --filter label=spark-vllm.rank)";
        expect(await onEach(`${words} | grep -c ${revision}`)).toEqual(["1", "1"]);
    } finally {
        await lab.configure({ model: own });
    }
    await lab.up();
    expect(await seen()).toEqual(before);
    await onNode(node, `cd ${snapshots} && rm -r ${revision}`);
});

test("prune shows what is older, and takes it once no container uses it", async () => {
    const [, last = ""] = labNodes();
    expect(await prune("--dry-run")).toBe("Nothing to remove.\n");
    await onNode(last, "docker rm stranger");
    const shown = await prune("--dry-run");
    expect(shown).toMatch(new RegExp(`^spark-2 +image .*${second.tag}`));
    expect(await onNode(last, `docker images -q ${second.tag} | wc -l`)).toBe("1");
    const no = await pruneAnswered("no");
    expect(no.said).toContain("Nothing was removed");
    expect(no.code).toBe(1);
    expect(await onNode(last, `docker images -q ${second.tag} | wc -l`)).toBe("1");
    const yes = await pruneAnswered("y");
    expect(yes.said).toMatch(/^spark-2 +image [^]*Remove these\? \[y\/N\] [^]*Removed\.\s*$/);
    expect(yes.code).toBe(0);
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
        // As Docker makes the directory of a mount that is not there; and one that nobody else may look into.
        const [made, closed] = ["/home/plain/auto/triton", "/home/plain/.cache/closed"];
        await onNode(node, `mkdir -p ${made}; mkdir -m 700 ${closed}; touch ${closed}/kernel`);
        for (const policy of ["fresh", "keep"]) {
            expect(
                await asPlainUser("cachesPlace.sh", `check ${policy} cccccccccccc`, made, closed),
            ).toBe(
                `obstacle\t${made}\tit belongs to root, and plain may not write to ${path.dirname(made)}`,
            );
        }
        expect(
            await asPlainUser("cachesPlace.sh", "place fresh cccccccccccc test", closed),
        ).toContain(`aside\t${closed}\t${closed}.unstamped`);
        await onNode(node, `rm -r ${closed}*`);
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
