#!/usr/bin/env node
// `npm test`: every suite this machine can run, with times; what was left out and why; `N passed, N failed` at the end.
// With CI=true nothing may be left out. `npm test -- unit lint` runs those alone.
const { chooseSuites } = require("./testing/suites.js");
const { Lab } = require("./testing/lab.js");
const { runSuite } = require("./testing/runSuite.js");
const { render, tally } = require("./testing/tally.js");
const { endAll } = require("./testing/processes.js");

const ci = (process.env.CI ?? "") !== "" && process.env.CI !== "false";

async function main(names) {
    const suites = chooseSuites(names);
    const lab = new Lab();
    let stopping;
    const stop = (signal) => {
        stopping ??= (async () => {
            process.stderr.write(`\ntest: ${signal}, cleaning up\n`);
            await endAll();
            await lab.down();
            process.exit(130);
        })();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
    // The nodes start while lint and unit tests run.
    if (suites.some(({ needsLab }) => needsLab)) lab.up();
    const results = new Map();
    const inTurn = async (some) => {
        for (const suite of some) results.set(suite, await runSuite(suite, lab));
    };
    try {
        // The checks beside the tests, for two cores; those on the nodes alone, for their time limits.
        await Promise.all([
            inTurn(suites.filter(({ command }) => command !== undefined)),
            inTurn(suites.filter((suite) => suite.jest && !suite.needsLab && !suite.alone)),
        ]);
        await inTurn(suites.filter(({ needsLab }) => needsLab));
        if (stopping === undefined) await lab.down();
        await inTurn(suites.filter(({ alone }) => alone));
    } finally {
        if (stopping === undefined) await lab.down();
    }
    if (stopping !== undefined) return;
    const ordered = suites.map((suite) => results.get(suite));
    const total = tally(ordered, { ci });
    process.stdout.write(render(ordered, total));
    process.exitCode = total.failed > 0 ? 1 : 0;
}

main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`test: ${error.message}\n`);
    process.exitCode = 2;
});
