const { execFileSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const { takeLock } = require("../lock.js");
const { root, run } = require("./processes.js");

/** Of this folder alone: test runs of other checkouts on this machine stand beside it. */
const ownName = `test${createHash("sha256").update(root).digest("hex").slice(0, 6)}`;

/** Three simulated nodes of the tests' own, beside any lab of the user's (tests/lab/README.md). */
class Lab {
    #name;
    #env;
    #state = fs.mkdtempSync(path.join(os.tmpdir(), "spark-test-state-"));
    #started;
    #release = () => undefined;
    /** Kept after `down`, for the suites that only ask how it went. */
    #outcome;

    /** @param {string} [more] what tells its name from that of the run's other labs */
    constructor(more = "") {
        this.#name = `${process.env.LAB ?? ownName}${more}`;
        // Killed, this process takes nothing down: the next lab on this machine does.
        this.#env = { ...process.env, LAB: this.#name, LAB_FOR: String(process.pid) };
    }

    /** Starts it in the background, unless another run in this folder has it. */
    up() {
        const lock = takeLock(path.join(root, ".lab", `${this.#name}.lock`));
        if (typeof lock !== "function") {
            const output = `process ${lock.pid}, another test run in this folder, has them, and they were left as they are: wait for it, or take LAB=NAME`;
            this.#outcome = Promise.resolve({ code: 1, output });
            return;
        }
        this.#release = lock;
        this.#started = (async () => {
            // What a killed run left would not be two healthy nodes.
            if (fs.existsSync(path.join(root, ".lab", this.#name))) await this.#lab("down");
            return this.#lab("up", "3");
        })();
        this.#outcome = this.#started;
    }

    /** Why there is no lab; undefined when the nodes are ready, were so, or were never asked for. */
    async problem() {
        const { code, output } = (await this.#outcome) ?? { code: 0 };
        return code === 0 ? undefined : output.trimEnd().split("\n").slice(-6).join("\n");
    }

    /** Makes the nodes serve with another engine: `vllm` or `stand-in`. Its progress is shown. */
    engine(name) {
        return run([path.join(root, "tests/lab/lab"), "engine", name], {
            env: this.#env,
            live: true,
        });
    }

    async down() {
        if (this.#started !== undefined) {
            await this.#started;
            const { code, output } = await this.#lab("down");
            if (code !== 0) process.stderr.write(`test: the lab was not taken down:\n${output}`);
            this.#started = undefined;
        }
        this.#release();
        this.#release = () => undefined;
        fs.rmSync(this.#state, { recursive: true, force: true });
    }

    /** What is this lab's own in the environment of tests on its nodes. */
    settings() {
        return {
            LAB: this.#name,
            SPARK_LAB_STACK: `lab${this.#name === "" ? "" : `-${this.#name}`}`,
            PULUMI_BACKEND_URL: `file://${this.#state}`,
        };
    }

    /** For tests on the nodes: our Pulumi, a state of this run's own, no user's passphrase or backend. */
    environment() {
        const shell = 'eval "$(scripts/setup --env)" && exec node -p "JSON.stringify(process.env)"';
        const text = execFileSync("sh", ["-c", shell], { cwd: root, encoding: "utf8" });
        const { PULUMI_CONFIG_PASSPHRASE_FILE, ...env } = JSON.parse(text);
        return {
            ...env,
            SPARK_LAB: "1",
            PULUMI_CONFIG_PASSPHRASE: "",
            ...this.settings(),
        };
    }

    #lab(...args) {
        return run([path.join(root, "tests/lab/lab"), ...args], { env: this.#env });
    }
}

module.exports = { Lab };
