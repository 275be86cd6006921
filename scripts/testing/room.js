const fs = require("node:fs");
const os = require("node:os");

const gib = 1024 ** 3;

/** GiB that are free now: memory as the kernel counts it, disk where the images are kept. */
function freeNow() {
    const { bavail, bsize } = fs.statfsSync(os.homedir());
    const info = fs.existsSync("/proc/meminfo") ? fs.readFileSync("/proc/meminfo", "utf8") : "";
    const available = /^MemAvailable: +(\d+) kB/m.exec(info)?.[1];
    const memory = available === undefined ? os.freemem() : Number(available) * 1024;
    return { memoryGib: memory / gib, diskGib: (bavail * bsize) / gib };
}

/**
 * Why a suite has no room on this machine; undefined when it has, and always in CI, where it shall fail aloud.
 * @param {{ memoryGib: number, diskGib: number }} wanted
 */
function noRoom(wanted, free = freeNow(), ci = process.env.CI ?? "") {
    if (ci !== "" && ci !== "false") return undefined;
    const short = [
        ["memory", wanted.memoryGib, free.memoryGib],
        ["disk", wanted.diskGib, free.diskGib],
    ].filter(([, want, have]) => have < want);
    if (short.length === 0) return undefined;
    return short
        .map(([what, want, have]) => `${have.toFixed(1)} GiB of ${what} are free, it needs ${want}`)
        .join("; ");
}

module.exports = { noRoom };
