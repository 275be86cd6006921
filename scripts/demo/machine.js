const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const { run } = require("./processes.js");

const gib = 1024 * 1024;

/** The first existing folder at a path or above it. */
function standing(folder) {
    return fs.existsSync(folder) ? folder : standing(path.dirname(folder));
}

/** Where Docker and this folder write. */
async function writtenTo(root) {
    const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache");
    const { code, output } = await run(["docker", "info", "--format", "{{.DockerRootDir}}"]);
    const docker = code === 0 ? output.trim().split("\n").at(-1) : "";
    return [docker.startsWith("/") && fs.existsSync(docker) ? docker : standing(cache), root];
}

/** Images of the nodes and what each node writes; measured 0.7 GiB a node and 1.2 GiB for all. */
const neededGib = (nodes) => 2 + nodes;

/**
 * Whether there is room on the disks.
 * @returns {Promise<string | undefined>} what is missing
 */
async function diskProblem(root, nodes) {
    const needed = neededGib(nodes);
    for (const folder of await writtenTo(root)) {
        const { code, output } = await run(["df", "-Pk", folder]);
        const free = Number(output.trimEnd().split("\n").at(-1)?.split(/\s+/)[3]);
        // A df that cannot tell is no reason to refuse.
        if (code !== 0 || Number.isNaN(free) || free >= needed * gib) continue;
        return (
            `the disk of ${folder} has ${(free / gib).toFixed(1)} GiB free, the demo needs ${String(needed)} GiB.\n` +
            "make room (docker system df, npm run lab -- purge), then run this again"
        );
    }
    return undefined;
}

/**
 * Why there is no Docker that could run the simulated nodes.
 * @param {{ code: number, output: string }} version what `docker version` said
 * @param {{ platform: string, isRoot: boolean, hasDaemon: boolean, user: string }} machine
 * @returns {string | undefined}
 */
function judgeDocker({ code, output }, { platform, isRoot, hasDaemon, user }) {
    if (code === 0) return undefined;
    if (code === 127) {
        return "Docker is not installed. Install it: https://docs.docker.com/engine/install";
    }
    if (/permission denied/i.test(output)) {
        return (
            `Docker refuses the user ${user}. As root: usermod -aG docker ${user}; then log in anew ` +
            "(members of that group are as good as root)"
        );
    }
    // The lab starts a daemon of its own where root can.
    if (platform === "linux" && isRoot && hasDaemon) return undefined;
    const start = platform === "linux" ? "sudo systemctl start docker" : "start Docker Desktop";
    return `Docker does not answer (docker version must work): ${start}`;
}

/** Whether a command is there; daemons live in sbin, which a user's PATH may lack. */
function onPath(command) {
    const folders = `${process.env.PATH}:/usr/sbin:/sbin`.split(":");
    return folders.some((folder) => fs.existsSync(path.join(folder, command)));
}

/** The user's name; an id without one, as in some containers. */
function userName() {
    try {
        return os.userInfo().username;
    } catch {
        return String(process.getuid?.());
    }
}

async function dockerProblem() {
    return judgeDocker(await run(["docker", "version"]), {
        platform: process.platform,
        isRoot: process.getuid?.() === 0,
        hasDaemon: onPath("dockerd"),
        user: userName(),
    });
}

module.exports = { diskProblem, dockerProblem, judgeDocker, onPath };
