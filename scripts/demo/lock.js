const fs = require("node:fs");
const path = require("node:path");

/** Whether a process runs; another user's counts. */
function runs(pid) {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        return error.code === "EPERM";
    }
}

/**
 * One demo a folder at a time. What a killed demo left is taken over.
 * @returns {(() => void) | { problem: string }} gives the lock back; a problem: another one runs
 */
function takeLock(file) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    for (;;) {
        try {
            fs.writeFileSync(file, `${String(process.pid)}\n`, { flag: "wx" });
            return () => fs.rmSync(file, { force: true });
        } catch (error) {
            if (error.code !== "EEXIST") throw error;
        }
        const pid = Number(fs.readFileSync(file, "utf8"));
        if (pid > 0 && runs(pid)) {
            const problem =
                `demo: another one runs in this folder (process ${String(pid)}). Nothing was changed.\n` +
                "Wait for it, or end it with Ctrl-C: it cleans up.";
            return { problem };
        }
        fs.rmSync(file, { force: true });
    }
}

module.exports = { takeLock };
