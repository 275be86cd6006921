const { spawnSync } = require("node:child_process");
const path = require("node:path");

const { TestEnvironment } = require("jest-environment-node");

/** What is otherwise on the nodes than a lab's start leaves it, a line each. */
function unsound() {
    const lab = path.join(__dirname, "lab");
    const { status, stdout, stderr } = spawnSync(lab, ["sound"], { encoding: "utf8" });
    return status === 0 ? [] : `${stdout}${stderr}`.trim().split("\n");
}

/**
 * Leads each worker of jest to a lab of its own: scripts/testing says which there are, in SPARK_LABS. After each file
 * the nodes must be as it found them: the next ones might fail for what this one left.
 */
class LabEnvironment extends TestEnvironment {
    #file;
    /** What files before left; it was said of them. */
    #found = [];

    constructor(settings, context) {
        const labs = JSON.parse(process.env.SPARK_LABS ?? "[]");
        // Before the tests get their copy of the environment; commands that they start get this one.
        Object.assign(process.env, labs[Number(process.env.JEST_WORKER_ID ?? "1") - 1]);
        super(settings, context);
        this.#file = path.basename(context.testPath);
    }

    async setup() {
        await super.setup();
        this.#found = unsound();
    }

    async teardown() {
        await super.teardown();
        const left = unsound().filter((line) => !this.#found.includes(line));
        if (left.length === 0) return;
        throw new Error(
            [`${this.#file} left the nodes otherwise than it found them:`, ...left].join("\n"),
        );
    }
}

module.exports = LabEnvironment;
