const path = require("node:path");

const { diskProblem, dockerProblem, onPath } = require("./machine.js");
const { root, runOnTerminal } = require("./processes.js");

// What set-up says with this code: Pulumi cannot be had, all before it is there.
const noEngine = 3;

/**
 * Everything this machine needs, and whether the demo can run on it.
 * @returns {Promise<string | undefined>} why not; the plan can still be shown then
 * @throws {Error} not even that
 */
async function prepare({ nodes, yes }) {
    const setup = [path.join(root, "scripts/setup"), "--for", "demo", ...(yes ? ["--yes"] : [])];
    const code = await runOnTerminal(setup);
    if (code === noEngine)
        return "the engine, Pulumi, is not to be had here; set-up says why above.";
    if (code !== 0)
        throw new Error("set-up did not finish; it says why above. Nothing else was done.");
    const docker = await dockerProblem();
    if (docker !== undefined) return docker;
    if (!onPath("ssh") || !onPath("ssh-keygen"))
        return "ssh is not installed: the OpenSSH client is needed.";
    const disk = await diskProblem(root, nodes);
    if (disk !== undefined) throw new Error(`${disk}\nNothing was started.`);
    return undefined;
}

module.exports = { prepare };
