const fs = require("node:fs");
const path = require("node:path");

const { root, run } = require("./processes.js");

/** The demo's simulated Sparks: a lab of its own beside any other (tests/lab/README.md). */
class Nodes {
    name = process.env.LAB || "demo";
    folder = path.join(root, ".lab", this.name);
    /** What the demo itself keeps: state, recipes, Pulumi's home. No lab can have this name. */
    files = path.join(root, ".lab", `${this.name}-files`);
    stack = `lab-${this.name}`;
    stackFile = path.join(root, `Pulumi.${this.stack}.yaml`);
    sshConfig = path.join(".lab", this.name, "ssh_config");
    #env;

    /** @param {{ keep: boolean }} options keep: they outlive this process */
    constructor({ keep }) {
        this.#env = { ...process.env, LAB: this.name, LAB_FOR: keep ? "" : String(process.pid) };
    }

    /** Whether an earlier demo left nodes. */
    leftOver() {
        return fs.existsSync(this.folder) || fs.existsSync(this.files);
    }

    /** @param {(text: string) => void} onStep each step, with the seconds it took */
    async up(count, onStep) {
        await this.#lab(["up", String(count)], onStep);
    }

    /** Makes them serve with another engine than the stand-in. @param {(text: string) => void} onStep */
    async serveWith(engine, onStep) {
        await this.#lab(["engine", engine], onStep);
    }

    /** Takes all away: nodes, state, files. */
    async down(onStep = () => undefined) {
        await this.#lab(["down"], onStep);
        fs.rmSync(this.files, { recursive: true, force: true });
        fs.rmSync(this.stackFile, { force: true });
    }

    /** Runs a line on a node. @returns {Promise<string>} what it printed */
    async on(node, line) {
        const { code, output } = await run(["ssh", "-F", this.sshConfig, node, line]);
        if (code !== 0) throw new Error(`${node}: ${line}\n${output.trimEnd()}`);
        return output.trimEnd();
    }

    async #lab(words, onStep) {
        const lab = path.join(root, "tests/lab/lab");
        const onLine = (line) => {
            const [, text] = /^lab: +[\d.]+ s {2}(.*)$/.exec(line) ?? [];
            if (text !== undefined) onStep(text);
        };
        const { code, output } = await run([lab, ...words], { env: this.#env, onLine });
        if (code === 0) return;
        const said = output
            .replace(/^lab: /gm, "")
            .trimEnd()
            .split("\n")
            .slice(-12)
            .join("\n");
        throw new Error(said.replaceAll("LAB=two npm run lab -- up", "LAB=two npm run demo"));
    }
}

module.exports = { Nodes };
