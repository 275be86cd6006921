#!/usr/bin/env node
// `npm test`: every suite this machine can run, with times; what was left out and why; `N passed, N failed` at the end.
// With CI=true nothing may be left out. `npm test -- unit lint` runs those alone.
const os = require("node:os");

const { chooseSuites } = require("./testing/suites.js");
const { Lab } = require("./testing/lab.js");
const { runSuite } = require("./testing/runSuite.js");
const { render, tally } = require("./testing/tally.js");
const { endAll } = require("./testing/processes.js");

const ci = (process.env.CI ?? "") !== "" && process.env.CI !== "false";

async function main(names) {
    const suites = chooseSuites(names);
    const needed = suites.some(({ needsLab }) => needsLab);
    const labs = needed ? makeLabs(suites) : [new Lab()];
    const down = () => Promise.all(labs.map((lab) => lab.down()));
    let stopping;
    const stop = (signal) => {
        stopping ??= (async () => {
            process.stderr.write(`\ntest: ${signal}, cleaning up\n`);
            await endAll();
            await down();
            process.exit(130);
        })();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
    // The nodes start while lint and unit tests run.
    if (needed) for (const lab of labs) lab.up();
    const results = new Map();
    const inTurn = async (some) => {
        for (const suite of some) results.set(suite, await runSuite(suite, labs));
    };
    try {
        // The checks beside the tests, for two cores; those on the nodes alone, for their time limits.
        await Promise.all([
            inTurn(suites.filter(({ command }) => command !== undefined)),
            inTurn(suites.filter((suite) => suite.jest && !suite.needsLab && !suite.alone)),
        ]);
        await inTurn(suites.filter(({ onTwoLabs }) => onTwoLabs));
        // The others need one lab, and its machine's memory.
        if (stopping === undefined) await Promise.all(labs.slice(1).map((lab) => lab.down()));
        await inTurn(suites.filter((suite) => suite.needsLab && !suite.onTwoLabs));
        if (stopping === undefined) await down();
        await inTurn(suites.filter(({ alone }) => alone));
    } finally {
        if (stopping === undefined) await down();
    }
    if (stopping !== undefined) return;
    const ordered = suites.map((suite) => results.get(suite));
    const total = tally(ordered, { ci });
    process.stdout.write(render(ordered, total));
    process.exitCode = total.failed > 0 ? 1 : 0;
}

/** Two where a suite can use two and the machine has two cores and 8 GiB. */
function makeLabs(suites) {
    const first = new Lab();
    const large = os.availableParallelism() > 1 && os.totalmem() >= 8 * 1024 ** 3;
    const two = large && suites.some(({ onTwoLabs }) => onTwoLabs);
    return two ? [first, new Lab("2")] : [first];
}

main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`test: ${error.message}\n`);
    process.exitCode = 2;
});
