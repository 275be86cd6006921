const fs = require("node:fs");
const path = require("node:path");

const { root, run } = require("./processes.js");

const linesOf = (text) => text.split("\n").filter((line) => line !== "");

/** Lines that name one of the marks. Pure. */
function marked(lines, marks) {
    return lines.filter((line) => marks.some((mark) => line.includes(mark)));
}

/** Finds what of the demo's nodes is still on this machine. */
class Traces {
    #nodes;
    #label;
    #marks = [];
    // The daemon that a lab starts where no Docker answers; it ends with the last lab.
    #ownRun = `/run/spark-vllm-lab-${process.env.LAB_OWN_SLOT ?? "0"}`;
    #ownBefore = fs.existsSync(this.#ownRun);

    /** @param {import("./nodes.js").Nodes} nodes */
    constructor(nodes) {
        this.#nodes = nodes;
        this.#label = `label=spark-lab=spark-lab-${nodes.name}`;
    }

    /** Notes, while the nodes run, by which names and ids their traces are known. */
    async note() {
        const ids = linesOf(await this.#docker("ps", "-aq", "--no-trunc", "--filter", this.#label));
        const format =
            "{{.Name}}|{{.NetworkSettings.SandboxKey}}|{{with .GraphDriver.Data}}{{.MergedDir}}{{end}}";
        const inspected = await this.#docker("inspect", "--format", format, ...ids);
        const networks = linesOf(
            await this.#docker("network", "ls", "-q", "--filter", this.#label),
        );
        const parts = linesOf(inspected).flatMap((line) => line.split("|"));
        this.#marks = [
            ...ids,
            ...parts.map((part) => part.replace(/^\/(?=spark-lab)/, "").replace(/\/merged$/, "")),
            ...networks.map((id) => `br-${id}`),
            `spark-lab-${this.#nodes.name}-`,
            `${this.#nodes.folder}/`,
            this.#nodes.files,
            this.#nodes.stackFile,
        ].filter((mark) => mark.length > 8);
    }

    /** What is left, one thing a line; empty: nothing. @returns {Promise<readonly string[]>} */
    async left() {
        const kinds = [
            ["ps", "-a", "--format", "container {{.Names}}"],
            ["network", "ls", "--format", "network {{.Name}}"],
            ["volume", "ls", "--format", "volume {{.Name}}"],
        ];
        const listed = await Promise.all(kinds.map((words) => this.#docker(...words)));
        const trace =
            process.platform === "linux" ? [path.join(root, "tests/lab/trace")] : ["true"];
        const { output } = await run(trace);
        const lines = [...listed, output].flatMap(linesOf);
        return [...new Set(marked(lines, this.#marks)), ...this.#processes(), ...this.#ownDaemon()];
    }

    /** Connections of this folder to the nodes. */
    #processes() {
        if (process.platform !== "linux") return [];
        return fs.readdirSync("/proc").flatMap((pid) => {
            try {
                const command = fs
                    .readFileSync(`/proc/${pid}/cmdline`, "utf8")
                    .replaceAll("\0", " ");
                const ours = command.includes(this.#nodes.sshConfig);
                return ours && fs.readlinkSync(`/proc/${pid}/cwd`) === root
                    ? [`process ${command}`]
                    : [];
            } catch {
                return [];
            }
        });
    }

    #ownDaemon() {
        const inUse = fs.existsSync(path.join(this.#ownRun, "labs"));
        return this.#ownBefore || inUse || !fs.existsSync(this.#ownRun)
            ? []
            : [`run ${this.#ownRun}`];
    }

    /** The Docker that the nodes run on. */
    async #docker(...words) {
        const own = path.join(this.#ownRun, "docker.sock");
        const env = { ...process.env };
        if (this.#runsOnOwn()) Object.assign(env, { DOCKER_HOST: `unix://${own}` });
        const { code, output } = await run(["docker", ...words], { env });
        return code === 0 ? output : "";
    }

    #isOwn = false;
    #runsOnOwn() {
        const note = path.join(this.#nodes.folder, "engine");
        if (fs.existsSync(note)) this.#isOwn = fs.readFileSync(note, "utf8").trim() === "own";
        return this.#isOwn;
    }
}

module.exports = { Traces, marked };
