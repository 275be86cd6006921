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

/** ps reckons from the time of boot, which the kernel moves by a second when the clock is set right. */
const sameStart = (one, other) => Math.abs(Date.parse(one) - Date.parse(other)) <= 2000;

/**
 * One holder at a time. The lock of one that was killed is taken over, also when another process has its id by now.
 * @returns {(() => void) | { pid: number }} gives the lock back; else who holds it
 */
function takeLock(file) {
    for (;;) {
        try {
            const { pid } = process;
            fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
            fs.writeFileSync(file, `${String(pid)} ${startOf(pid) ?? ""}\n`, { flag: "wx" });
            return () => {
                giveBack(file);
            };
        } catch (error) {
            // Another's end took the folder.
            if (error.code === "ENOENT") continue;
            if (error.code !== "EEXIST") throw error;
        }
        const [pid, start] = fs.readFileSync(file, "utf8").trim().split(/ (.*)/);
        if (/^\d+$/.test(pid) && sameStart(startOf(pid), start)) return { pid: Number(pid) };
        fs.rmSync(file, { force: true });
    }
}

function giveBack(file) {
    fs.rmSync(file, { force: true });
    try {
        fs.rmdirSync(path.dirname(file));
    } catch {
        // Something else is in it.
    }
}

module.exports = { takeLock };
