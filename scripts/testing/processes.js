const { spawn } = require("node:child_process");
const path = require("node:path");

const root = path.dirname(path.dirname(__dirname));
const running = new Set();

/**
 * Runs a command from the project's folder, in a process group of its own so that `endAll` ends its children too.
 * @param {readonly string[]} command
 * @param {{ env?: NodeJS.ProcessEnv, live?: boolean }} [options] live: its stderr is shown as it comes
 * @returns {Promise<{ code: number, output: string }>} output: all that was not shown
 */
function run([program, ...args], { env = process.env, live = false } = {}) {
    return new Promise((resolve) => {
        const child = spawn(program, args, {
            cwd: root,
            env,
            detached: true,
            stdio: ["ignore", "pipe", live ? "inherit" : "pipe"],
        });
        running.add(child);
        let output = "";
        const collect = (chunk) => (output += chunk);
        child.stdout.setEncoding("utf8").on("data", collect);
        child.stderr?.setEncoding("utf8").on("data", collect);
        child.on("error", (error) => {
            running.delete(child);
            resolve({ code: 127, output: `${output}${error.message}\n` });
        });
        child.on("close", (code) => {
            running.delete(child);
            resolve({ code: code ?? 1, output });
        });
    });
}

/** Ends every running command with its children: TERM, then KILL after 10 s. */
async function endAll() {
    const kill = (signal) => {
        for (const { pid } of running) {
            try {
                process.kill(-pid, signal);
            } catch {
                // It ended by itself.
            }
        }
    };
    kill("SIGTERM");
    for (let waited = 0; running.size > 0 && waited < 10_000; waited += 100) {
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    kill("SIGKILL");
}

module.exports = { endAll, root, run };
