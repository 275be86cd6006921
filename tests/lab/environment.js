const { TestEnvironment } = require("jest-environment-node");

/** Leads each worker of jest to a lab of its own: scripts/testing says which there are, in SPARK_LABS. */
class LabEnvironment extends TestEnvironment {
    constructor(...settings) {
        const labs = JSON.parse(process.env.SPARK_LABS ?? "[]");
        // Before the tests get their copy of the environment; commands that they start get this one.
        Object.assign(process.env, labs[Number(process.env.JEST_WORKER_ID ?? "1") - 1]);
        super(...settings);
    }
}

module.exports = LabEnvironment;
