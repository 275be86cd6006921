import { existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

import { Clone, leftBehind, traces } from "./clone";

// `npm run demo` as someone sees it who has just cloned this: everything real, on nodes of its own.
jest.setTimeout(600_000);

let clone: Clone;
let before: readonly string[];

beforeAll(() => {
    clone = new Clone();
    before = traces(clone);
});

afterAll(async () => {
    await clone.demo(["--down"]);
    clone.remove();
});

test("a second demo meanwhile is refused; Ctrl-C takes everything down", async () => {
    const demo = clone.start();
    await demo.says("spark-1  looked at");
    const second = await clone.demo();
    expect(second.said).toMatch(
        /demo: another one runs in this folder \(process \d+\)\. Nothing was/,
    );
    expect(second.code).toBe(1);
    demo.signal("SIGINT");
    const { code, said } = await demo.ended;
    expect(said).toContain("SIGINT: taking everything down");
    // npm itself ends by the signal.
    expect([130, "SIGINT"]).toContain(code);
    expect(await leftBehind(clone, before)).toEqual([]);
});

test("killed without a chance to clean up; the next one does, and shows everything", async () => {
    const killed = clone.start();
    await killed.says("ssh to every node");
    killed.signal("SIGKILL");
    await killed.ended;
    const { code, said } = await clone.demo();
    expect({ code, said: code === 0 ? "" : said }).toEqual({
        code: 0,
        said: "",
    });
    for (const shown of [
        "A privileged container is root on this machine.",
        "what an earlier demo left: taken down",
        "+  spark-2   caches, docker, image, node, rank",
        "a completion came in",
        "serving deepseek-v4-flash-vision at http://127.0.0.1:8000/v1 on spark-1",
        "read: What do two Sparks make of one model?",
        "Image 1 is 64x48 pixels, mostly green",
        "+- spark-1   rank",
        "+- spark-2   rank",
        "--max-num-seqs: 2 -> 4 (all ranks)",
        "dsv4-flash-vision-rank1 on spark-2 killed",
        "all 2 ranks started anew, and the group serves",
        "no rank is left on any node",
        "nothing is left: containers, networks, volumes, processes, mounts, files",
    ]) {
        expect(said).toContain(shown);
    }
    expect(said).toMatch(/demo: all shown in \d+ s, nothing was left behind\n$/);
    expect(await leftBehind(clone, before)).toEqual([]);
});

const plansOnly = [
    "model     deepseek-ai/DeepSeek-V4-Flash-Vision-Exp at 86f746b36186f0e567729a5c06a8c918caba82a9",
    "+- spark-2   rank",
    "--max-num-seqs: 2 -> 4 (all ranks)",
    "demo: only plans were shown; nothing was started",
];

test.each([
    // The package manager is taken away too: set-up would install Docker.
    ["is not there", undefined, "Docker is not installed."],
    [
        "gives no rights",
        "echo permission denied while trying to connect >&2; exit 1",
        "Docker refuses the user ",
    ],
])("Docker %s: why, the plans, and code 3", async (_, docker, reason) => {
    const PATH = clone.path({ docker, "apt-get": undefined });
    const { code, said } = await clone.demo([], { PATH });
    for (const shown of [reason, ...plansOnly]) expect(said).toContain(shown);
    expect(code).toBe(3);
    expect(await leftBehind(clone, before)).toEqual([]);
});

test("neither archives nor a network: why, the plans, and code 3", async () => {
    const toolchain = path.join(clone.folder, ".toolchain");
    renameSync(toolchain, `${toolchain}.away`);
    try {
        const PATH = clone.path({ curl: "exit 6", pulumi: undefined });
        const { code, said } = await clone.demo([], {
            PATH,
            SPARK_TOOLCHAIN: "/nonexistent",
        });
        for (const shown of ["is not to be had here.", "the engine, Pulumi,", ...plansOnly]) {
            expect(said).toContain(shown);
        }
        expect(code).toBe(3);
        expect(existsSync(path.join(toolchain, "pulumi"))).toBe(false);
    } finally {
        rmSync(toolchain, { recursive: true, force: true });
        renameSync(`${toolchain}.away`, toolchain);
    }
});

test("a disk nearly full: how much is missing, and nothing was started", async () => {
    const PATH = clone.path({
        df: "echo Filesystem; echo /dev/x 100000000 99000000 1000000 99% /",
    });
    const { code, said } = await clone.demo([], { PATH });
    expect(said).toMatch(/has 1\.0 GiB free, the demo needs 4 GiB\.\n[^]*Nothing was started\./);
    expect(code).toBe(1);
    expect(await leftBehind(clone, before)).toEqual([]);
});
