const { execFileSync, spawn } = require("node:child_process");
const path = require("node:path");

const root = path.dirname(path.dirname(__dirname));

/**
 * Runs a command from the project's folder. In a process group of its own: Ctrl-C reaches this program alone, which
 * ends what runs in order.
 * @param {readonly string[]} command
 * @param {{ env?: NodeJS.ProcessEnv, onLine?: (line: string) => void }} [options] onLine: each line as it comes
 * @returns {Promise<{ code: number, output: string }>}
 */
function run([program, ...args], { env = process.env, onLine } = {}) {
    return new Promise((resolve) => {
        const child = spawn(program, args, {
            cwd: root,
            env,
            detached: true,
            stdio: ["ignore", "pipe", "pipe"],
        });
        let [output, rest] = ["", ""];
        const take = (text) => {
            output += text;
            const lines = (rest + text).split("\n");
            rest = lines.pop();
            for (const line of lines) onLine?.(line);
        };
        child.stdout.setEncoding("utf8").on("data", take);
        child.stderr.setEncoding("utf8").on("data", take);
        child.on("error", (error) => resolve({ code: 127, output: `${error.message}\n` }));
        child.on("close", (code) => resolve({ code: code ?? 1, output }));
    });
}

/** Runs a command on this terminal, so that it can ask. @returns {Promise<number>} its exit code */
function runOnTerminal([program, ...args], { env = process.env } = {}) {
    return new Promise((resolve) => {
        const child = spawn(program, args, { cwd: root, env, stdio: "inherit" });
        child.on("error", () => resolve(127));
        child.on("close", (code) => resolve(code ?? 1));
    });
}

/** Ids of all processes below this one. */
function descendants() {
    const table = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/\s+/).map(Number));
    const below = (parent) =>
        table.filter(([, ppid]) => ppid === parent).flatMap(([pid]) => [...below(pid), pid]);
    return below(process.pid);
}

/** Ends all processes below this one: TERM, then KILL after 5 s. */
async function endDescendants() {
    const all = descendants();
    signalAll(all, "SIGTERM");
    for (let waited = 0; waited < 5000 && signalAll(all, 0) > 0; waited += 100) {
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    signalAll(all, "SIGKILL");
}

/** @returns {number} how many of them still ran */
function signalAll(pids, signal) {
    return pids.filter((pid) => {
        try {
            return process.kill(pid, signal);
        } catch {
            return false;
        }
    }).length;
}

module.exports = { endDescendants, root, run, runOnTerminal };
