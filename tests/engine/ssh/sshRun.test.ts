import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { NodeError, runScript } from "../../../components/host/ssh";
import { type TestSshd, testSshd } from "./testSshd";

// Every ssh is a process or two; a busy machine takes its time.
jest.setTimeout(60_000);

let sshd: TestSshd;
let bundle: string;
beforeAll(async () => {
    sshd = await testSshd();
    bundle = path.join(sshd.folder, "client.js");
    const source = path.resolve("components/host/ssh.ts");
    execFileSync("node", [
        "-e",
        `require("esbuild").buildSync({ entryPoints: [${JSON.stringify(source)}], bundle: true,
         platform: "node", outfile: ${JSON.stringify(bundle)}, loader: { ".sh": "text" } })`,
    ]);
});
afterAll(() => {
    sshd.close();
});

/** Whether a process with this word among its arguments runs. */
function runs(word: string): boolean {
    return fs
        .readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .some((pid) => {
            try {
                const words = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
                return words.includes(word);
            } catch {
                return false;
            }
        });
}

async function until(condition: () => boolean, seconds = 5): Promise<boolean> {
    for (let tries = 0; tries < seconds * 20; tries += 1) {
        if (condition()) return true;
        await pause(50);
    }
    return condition();
}

test("returns output, errors and the exit code; arguments and input arrive as they are", async () => {
    const args = ["a b", "it's", "$HOME", "", "é\n*"];
    const script = `printf '<%s>' "$@"; cat; echo bad >&2; exit 7`;
    const result = await runScript(sshd.node, script, { args, input: "in'put\n\n" });
    expect(result).toEqual({
        code: 7,
        stdout: "<a b><it's><$HOME><><é\n*>in'put\n\n",
        stderr: "bad\n",
    });
});

test("a script without input has an empty stdin and may be large", async () => {
    const script = `cat; ${"# 0123456789\n".repeat(20_000)}echo end`;
    const result = await runScript(sshd.node, script);
    expect(result).toEqual({ code: 0, stdout: "end\n", stderr: "" });
});

test("a syntax error of the script is its own failure", async () => {
    const { code, stderr } = await runScript(sshd.node, "if true; then");
    expect([code, /unexpected/i.test(stderr)]).toEqual([2, true]);
});

test("lines come while the script runs", async () => {
    const seen: [string, string, number][] = [];
    const started = Date.now();
    await runScript(sshd.node, "echo one; echo two >&2; sleep 1; printf three", {
        onLine: (line, stream) => seen.push([line, stream, Date.now() - started]),
    });
    const order = seen.map(([line, stream]) => [line, stream]);
    expect(order.toSorted()).toEqual([
        ["one", "stdout"],
        ["three", "stdout"],
        ["two", "stderr"],
    ]);
    const time = (word: string) => seen.find(([line]) => line === word)?.[2] ?? Infinity;
    expect(time("three") - time("one")).toBeGreaterThan(800);
});

test("the script is in no argument list", async () => {
    const { stdout } = await runScript(sshd.node, "tr '\\0' ' ' < /proc/$$/cmdline # sesame", {
        args: ["sesame"],
    });
    expect(stdout).not.toContain("sesame");
});

test("at its limit the script ends on the node, whatever it started", async () => {
    const script = "trap '' TERM; timeout 987001 sleep 987001 & sleep 987001";
    const failure = runScript(sshd.node, script, { timeoutSeconds: 1 });
    await expect(failure).rejects.toThrow("spark-1: a step did not end within its 1 s");
    await expect(failure).rejects.toBeInstanceOf(NodeError);
    expect(runs("987001")).toBe(false);
});

test("a background process of a script does not keep it from ending, and ends with it", async () => {
    const { stdout } = await runScript(sshd.node, "sleep 987002 & echo done");
    expect([stdout, runs("987002")]).toEqual(["done\n", false]);
});

test("an aborted call leaves nothing on the node", async () => {
    const abort = new AbortController();
    const running = runScript(sshd.node, "echo up; sleep 987003", {
        signal: abort.signal,
        onLine: () => {
            abort.abort(new Error("enough"));
        },
    });
    await expect(running).rejects.toThrow("enough");
    expect(runs("987003")).toBe(false);
});

test.each(["SIGKILL", "SIGTERM"] as const)(
    "a client ended by %s leaves nothing on the node",
    async (signal) => {
        const word = signal === "SIGKILL" ? "987004" : "987005";
        const call = `require(${JSON.stringify(bundle)}).runScript(${JSON.stringify(sshd.node)},
            "timeout ${word} sleep ${word}")`;
        const client = spawn("node", ["-e", call], { stdio: "ignore" });
        expect(await until(() => runs(word))).toBe(true);
        client.kill(signal);
        expect(await until(() => !runs(word))).toBe(true);
    },
);

test("a lost connection is told from the script's own code", async () => {
    const { code } = await runScript(sshd.node, "exit 255");
    expect(code).toBe(255);
    const lost = runScript(sshd.node, "echo up; sleep 0.5; kill -9 $PPID");
    await expect(lost).rejects.toMatchObject({ kind: "lost" });
});
