const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const { run } = require("./processes.js");
const { noRoom } = require("./room.js");
const { countJest } = require("./tally.js");

const say = (text) => process.stderr.write(`test: ${text}\n`);

/**
 * Runs one suite and says how it went.
 * @param {readonly import("./lab.js").Lab[]} labs all that a suite on the nodes may use; the first is there for each
 * @returns {Promise<import("./tally.js").Result>}
 */
async function runSuite(suite, labs) {
    const started = Date.now();
    const [lab] = labs;
    const mine = suite.needsLab ? (suite.onTwoLabs ? labs : [lab]) : [];
    if (mine.length > 0) say(`${suite.name}: waiting for the simulated nodes`);
    for (const each of suite.alone ? [lab] : mine) {
        const problem = await each.problem();
        if (problem !== undefined) return leftOut(suite, `no simulated nodes\n${problem}`);
    }
    const other = await prepareEngine(suite, lab);
    if (other !== undefined) return leftOut(suite, other);
    say(`${suite.name} …`);
    const result = await (suite.jest === undefined ? runCheck(suite) : runJest(suite, mine));
    const seconds = Math.round((Date.now() - started) / 1000);
    const verdict = result.failed > 0 ? `${String(result.failed)} failed` : "passed";
    say(`${suite.name}: ${verdict} in ${String(seconds)} s`);
    return { name: suite.name, seconds, ...result };
}

/** Makes the nodes serve with the suite's engine; why not, if not. */
async function prepareEngine({ name, engine, room }, lab) {
    if (engine === undefined) return undefined;
    const cramped = noRoom(room);
    if (cramped !== undefined) return cramped;
    say(
        `${name}: ${engine} onto the nodes; once on a machine it is installed, which takes minutes`,
    );
    const { code, output } = await lab.engine(engine);
    return code === 0 ? undefined : `no ${engine} on the nodes\n${output.trimEnd()}`;
}

function leftOut({ name }, reason) {
    say(`${name}: left out`);
    return { name, seconds: 0, passed: 0, failed: 0, failures: [], skipped: [], leftOut: reason };
}

async function runCheck({ name, command }) {
    const { code, output } = await run(command);
    if (code === 0) return { passed: 1, failed: 0, failures: [], skipped: [] };
    process.stderr.write(output);
    return { passed: 0, failed: 1, failures: [name], skipped: [] };
}

/** A worker of jest for each lab; tests/lab/environment.js leads each to its own. */
function shareOut(labs) {
    const [first] = labs;
    if (first === undefined) return process.env;
    return {
        ...first.environment(),
        SPARK_LABS: JSON.stringify(labs.map((lab) => lab.settings())),
    };
}

async function runJest({ name, jest, onTwoLabs }, labs) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "spark-test-"));
    const file = path.join(folder, "results.json");
    try {
        const command = [process.execPath, require.resolve("jest/bin/jest")];
        const workers = onTwoLabs ? [`--maxWorkers=${String(labs.length)}`] : [];
        const output = ["--ci", "--json", "--outputFile", file];
        const { code } = await run([...command, ...output, ...workers, ...jest], {
            env: shareOut(labs),
            live: true,
        });
        if (!fs.existsSync(file)) {
            return {
                passed: 0,
                failed: 1,
                failures: [`${name}: jest ended (${code})`],
                skipped: [],
            };
        }
        return countJest(name, JSON.parse(fs.readFileSync(file, "utf8")));
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
}

module.exports = { runSuite };
