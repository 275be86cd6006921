const { execFileSync } = require("node:child_process");
const path = require("node:path");

const { TestEnvironment } = require("jest-environment-node");

/**
 * Leads each worker of jest to a lab of its own: scripts/testing says which there are, in SPARK_LABS. After each file
 * the nodes must be as it found them, or the next ones would fail for what this one left.
 */
class LabEnvironment extends TestEnvironment {
    #file;

    constructor(settings, context) {
        const labs = JSON.parse(process.env.SPARK_LABS ?? "[]");
        // Before the tests get their copy of the environment; commands that they start get this one.
        Object.assign(process.env, labs[Number(process.env.JEST_WORKER_ID ?? "1") - 1]);
        super(settings, context);
        this.#file = path.basename(context.testPath);
    }

    async teardown() {
        await super.teardown();
        try {
            execFileSync(path.join(__dirname, "lab"), ["sound"], { encoding: "utf8" });
        } catch ({ stdout, stderr }) {
            throw new Error(
                `${this.#file} left the nodes otherwise than it found them:\n${stdout}${stderr}`,
            );
        }
    }
}

module.exports = LabEnvironment;
