const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const { errorsOf, progressOf } = require("../engine/events.js");
const { root } = require("./processes.js");

/** The demo's stack, through the engine: the program of this folder, a state and a home of its own. */
class Cluster {
    #nodes;
    #onStep;
    #stack;

    /** @param {import("./nodes.js").Nodes} nodes @param {(text: string) => void} onStep progress */
    constructor(nodes, onStep) {
        this.#nodes = nodes;
        this.#onStep = onStep;
    }

    async create() {
        useEnvironment(this.#nodes.files);
        // Loaded only now: dependencies are there, and PATH has Pulumi.
        const { LocalWorkspace } = require("@pulumi/pulumi/automation");
        const where = { stackName: this.#nodes.stack, workDir: root };
        this.#stack = await LocalWorkspace.createOrSelectStack(where);
    }

    /** Sets the stack's recipe: a name or a path. */
    useRecipe(recipe) {
        const { parseDocument } = require("yaml");
        const file = this.#nodes.stackFile;
        const document = parseDocument(fs.readFileSync(file, "utf8"));
        document.setIn(["config", "spark-vllm:recipe"], recipe);
        fs.writeFileSync(file, document.toString({ lineWidth: 0 }));
    }

    /** @returns {Promise<readonly import("../engine/events.js").EngineEvent[]>} */
    preview() {
        return this.#operate((options) => this.#stack.preview(options), false);
    }

    up({ refresh = false } = {}) {
        return this.#operate((options) => this.#stack.up({ ...options, refresh }), true);
    }

    destroy() {
        return this.#operate((options) => this.#stack.destroy(options), true);
    }

    /** The stack's outputs, plain. */
    async outputs() {
        const outputs = await this.#stack.outputs();
        return Object.fromEntries(Object.entries(outputs).map(([key, { value }]) => [key, value]));
    }

    async #operate(operation, shown) {
        const events = [];
        let output = "";
        const collect = (text) => (output += text);
        try {
            await operation({
                onOutput: collect,
                onError: collect,
                onEvent: (event) => {
                    events.push(event);
                    if (shown) progressOf(event).forEach(this.#onStep);
                },
            });
        } catch (error) {
            const errors = errorsOf(events);
            throw new Error(errors.length > 0 ? errors.join("\n") : output || error.message);
        }
        return events;
    }
}

/** Our Pulumi and its plugins, nothing of the user's: backend, passphrase, login and selected stack stay as they are. */
function useEnvironment(files) {
    const shell = 'eval "$(scripts/setup --env)" && exec node -p "JSON.stringify(process.env)"';
    const env = JSON.parse(execFileSync("sh", ["-c", shell], { cwd: root, encoding: "utf8" }));
    const [state, home] = [path.join(files, "state"), path.join(files, "home")];
    for (const folder of [state, home]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const plugins = path.join(env.PULUMI_HOME ?? path.join(os.homedir(), ".pulumi"), "plugins");
    fs.rmSync(path.join(home, "plugins"), { force: true });
    fs.symlinkSync(plugins, path.join(home, "plugins"));
    for (const name of Object.keys(process.env)) {
        if (name.startsWith("PULUMI_")) Reflect.deleteProperty(process.env, name);
    }
    Object.assign(process.env, {
        PATH: env.PATH,
        PULUMI_HOME: home,
        PULUMI_BACKEND_URL: `file://${state}`,
        PULUMI_CONFIG_PASSPHRASE: "",
        PULUMI_SKIP_UPDATE_CHECK: "true",
    });
}

module.exports = { Cluster };
