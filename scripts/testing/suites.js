/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string[]} [command] one check: it counts as one test
 * @property {string[]} [jest] arguments for jest: every test counts
 * @property {boolean} [needsLab] runs on simulated nodes
 * @property {boolean} [onTwoLabs] its files are shared out to two labs, where the machine is large enough
 * @property {string} [engine] what the nodes serve with, when it is not the stand-in
 * @property {{ memoryGib: number, diskGib: number }} [room] what must be free for it; in CI it always runs
 * @property {boolean} [alone] runs after the nodes are down: it starts its own and looks at the whole machine
 */

/** @type {readonly Suite[]} */
const suites = [
    { name: "lint", command: ["npm", "run", "--silent", "lint"] },
    { name: "types", command: ["npm", "run", "--silent", "types"] },
    { name: "unit", jest: ["--selectProjects", "unit"] },
    { name: "standin", jest: ["--selectProjects", "standin"] },
    // On each lab one file after the other: its nodes are shared.
    { name: "engine", jest: ["--selectProjects", "engine"], needsLab: true, onTwoLabs: true },
    // After the others on the nodes: it changes what those serve with.
    {
        name: "vllm",
        jest: ["--selectProjects", "vllm", "--runInBand"],
        needsLab: true,
        engine: "vllm",
        room: { memoryGib: 10, diskGib: 15 },
    },
    { name: "demo", jest: ["--selectProjects", "demo", "--runInBand"], alone: true },
];

/** The suites of these names, all without one; throws on an unknown name. */
function chooseSuites(names) {
    const known = suites.map(({ name }) => name);
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length > 0) {
        throw new Error(`no suite ${unknown.join(", ")}; there are ${known.join(", ")}`);
    }
    return names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name));
}

module.exports = { chooseSuites, suites };
