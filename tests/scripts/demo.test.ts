import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inflateSync } from "node:zlib";

const root = path.dirname(path.dirname(__dirname));

interface Options {
    readonly keep: boolean;
    readonly nodes: number;
    readonly engine: string;
    readonly yes: boolean;
    readonly down: boolean;
    readonly help: boolean;
}
const { readOptions } = jest.requireActual<{
    readonly readOptions: (words: readonly string[]) => Options;
}>("../../scripts/demo/options.js");
const { forNodes, withFlag } = jest.requireActual<{
    readonly forNodes: (text: string, nodes: number) => string;
    readonly withFlag: (text: string, flag: string, value: string) => string;
}>("../../scripts/demo/recipeCopy.js");
const { takeLock } = jest.requireActual<{
    readonly takeLock: (file: string) => (() => void) | { readonly pid: number };
}>("../../scripts/lock.js");
const { judgeDocker } = jest.requireActual<{
    readonly judgeDocker: (version: object, machine: object) => string | undefined;
}>("../../scripts/demo/machine.js");
const { marked } = jest.requireActual<{
    readonly marked: (lines: readonly string[], marks: readonly string[]) => readonly string[];
}>("../../scripts/demo/traces.js");
const { pngUrl } = jest.requireActual<{
    readonly pngUrl: (width: number, height: number, colour: readonly number[]) => string;
}>("../../scripts/demo/png.js");
const { shows } = jest.requireActual<{
    readonly shows: Readonly<
        Record<
            "stand-in" | "vllm",
            {
                readonly recipe: string;
                readonly change: { readonly flag: string; readonly value: string };
            }
        >
    >;
}>("../../scripts/demo/show.js");

const plain: Options = {
    keep: false,
    nodes: 2,
    engine: "stand-in",
    yes: false,
    down: false,
    help: false,
};

test.each([
    [[], {}],
    [["--keep"], { keep: true }],
    [["--nodes", "4"], { nodes: 4 }],
    [["--nodes=8", "--yes"], { nodes: 8, yes: true }],
    [["--engine", "vllm"], { engine: "vllm" }],
    [["--engine=stand-in"], {}],
    [["-y"], { yes: true }],
    [["--down"], { down: true }],
    [["-h"], { help: true }],
])("options %j", (words, expected) => {
    expect(readOptions(words)).toEqual({ ...plain, ...expected });
});

test.each([
    [["--nodes"], "--nodes : expected a number from 2 to 8"],
    [["--nodes", "1"], "--nodes 1: expected a number from 2 to 8"],
    [["--nodes", "9"], "--nodes 9: expected a number from 2 to 8"],
    [["--engine", "other"], "--engine other: expected stand-in or vllm"],
    [["--engine", "vllm", "--nodes", "3"], "--engine vllm: its recipe is for two nodes"],
    [["--kep"], "--kep: unknown"],
    [["up"], "up: unknown"],
])("options %j are refused with the usage", (words, message) => {
    expect(() => readOptions(words)).toThrow(`${message}\nnpm run demo -- [--keep]`);
});

const textOf = (name: string) =>
    readFileSync(path.join(root, "recipes", name, "recipe.toml"), "utf8");
const recipe = textOf(shows["stand-in"].recipe);

test("the recipe for four nodes differs in the two numbers alone", () => {
    const lines = recipe.split("\n");
    const changed = forNodes(recipe, 4)
        .split("\n")
        .filter((line, at) => line !== lines[at]);
    expect(changed).toEqual(["required_nodes = 4", "tensor_parallel_size = 4"]);
    expect(forNodes(recipe, 2)).toBe(recipe);
});

test.each(Object.entries(shows))(
    "%s: the changed recipe differs in the one argument alone",
    (_, show) => {
        const text = textOf(show.recipe);
        const lines = text.split("\n");
        const { flag, value } = show.change;
        const changed = withFlag(text, flag, value)
            .split("\n")
            .filter((line, at) => line !== lines[at]);
        expect(changed).toEqual(['    "--max-num-seqs", "4",']);
    },
);

test("a flag that is not there once is no change", () => {
    expect(() => withFlag(recipe, "--nothing", "1")).toThrow("0 times in the recipe");
});

describe("lock", () => {
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(path.join(tmpdir(), "demo-lock-"));
    });
    afterEach(() => {
        rmSync(folder, { recursive: true });
    });
    const file = () => path.join(folder, "deep/demo.lock");
    const release = (lock: ReturnType<typeof takeLock>) => {
        if (typeof lock !== "function") throw new Error(`held by ${String(lock.pid)}`);
        lock();
    };

    test("a second demo is refused while the first runs", () => {
        const lock = takeLock(file());
        expect(takeLock(file())).toEqual({ pid: process.pid });
        // As ps tells it once the clock was set right.
        const [, start = ""] = /^\d+ (.*)\n$/.exec(readFileSync(file(), "utf8")) ?? [];
        const moved = new Date(Date.parse(start) + 1000).toString();
        writeFileSync(file(), `${String(process.pid)} ${moved}\n`);
        expect(takeLock(file())).toEqual({ pid: process.pid });
        release(lock);
        release(takeLock(file()));
    });

    test.each([
        ["above the kernel's largest process id", "4194305 Wed Dec  2 09:00:00 2026\n"],
        ["another process's by now", `${String(process.pid)} Wed Dec  2 09:00:00 1999\n`],
    ])("what a killed demo left is taken over: its id is %s", (_, text) => {
        mkdirSync(path.dirname(file()));
        writeFileSync(file(), text);
        release(takeLock(file()));
        expect(existsSync(path.dirname(file()))).toBe(false);
    });
});

const linux = { platform: "linux", isRoot: false, hasDaemon: true, user: "ann" };
const down = { code: 1, output: "Cannot connect to the Docker daemon at unix:///x" };

test.each([
    ["answers", { code: 0, output: "" }, linux, undefined],
    [
        "not installed",
        { code: 127, output: "spawn docker ENOENT" },
        linux,
        /^Docker is not installed/,
    ],
    [
        "without rights",
        { code: 1, output: "permission denied while trying to connect" },
        linux,
        /^Docker refuses the user ann\. As root: usermod -aG docker ann; then log in anew/,
    ],
    ["not running", down, linux, /^Docker does not answer .*: sudo systemctl start docker$/],
    ["not running, root", down, { ...linux, isRoot: true }, undefined],
    ["no daemon, root", down, { ...linux, isRoot: true, hasDaemon: false }, /^Docker does not/],
    ["macOS", down, { ...linux, platform: "darwin", isRoot: true }, /: start Docker Desktop$/],
])("Docker %s", (_, version, machine, problem) => {
    const said = judgeDocker(version, machine);
    if (problem === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(problem);
});

test("only what names the demo's own things is left behind", () => {
    const lines = ["container spark-lab-demo-1", "container spark-lab-1", "mount /x/abcdef0123/y"];
    expect(marked(lines, ["spark-lab-demo-", "abcdef0123"])).toEqual([lines[0], lines[2]]);
});

test("the picture is a PNG of its size and colour", () => {
    const bytes = Buffer.from(pngUrl(3, 2, [1, 2, 3]).split(",")[1] ?? "", "base64");
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([3, 2]);
    const size = bytes.readUInt32BE(33);
    const rows = inflateSync(bytes.subarray(41, 41 + size));
    expect([...rows]).toEqual([0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
    // The checksum of an empty IEND, as every PNG ends.
    expect(bytes.subarray(-8).toString("hex")).toBe("49454e44ae426082");
});
