const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

/** When a process that runs was started; undefined for one that does not, or has ended and waits for its parent. */
function startOf(pid) {
    const { stdout } = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
        encoding: "utf8",
    });
    const [, state, start] = /^\s*(\S+)\s+(\S.*\S)\s*$/.exec(stdout ?? "") ?? [];
    return state === undefined || state.startsWith("Z") ? undefined : start;
}

/**
 * One demo a folder at a time. What a killed demo left is taken over, also when another process has its id by now.
 * @returns {(() => void) | { problem: string }} gives the lock back; a problem: another one runs
 */
function takeLock(file) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    for (;;) {
        try {
            const { pid } = process;
            fs.writeFileSync(file, `${String(pid)} ${startOf(pid) ?? ""}\n`, { flag: "wx" });
            return () => fs.rmSync(file, { force: true });
        } catch (error) {
            if (error.code !== "EEXIST") throw error;
        }
        const [pid, start] = fs.readFileSync(file, "utf8").trim().split(/ (.*)/);
        if (/^\d+$/.test(pid) && startOf(pid) === start) {
            const problem =
                `demo: another one runs in this folder (process ${pid}). Nothing was changed.\n` +
                "Wait for it, or end it with Ctrl-C: it cleans up.";
            return { problem };
        }
        fs.rmSync(file, { force: true });
    }
}

module.exports = { takeLock };
