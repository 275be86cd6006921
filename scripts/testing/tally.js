/**
 * @typedef {object} Result
 * @property {string} name
 * @property {number} seconds
 * @property {number} passed
 * @property {number} failed
 * @property {string[]} failures names of what failed
 * @property {string[]} [reasons] why, for each of them in words; "": as told of one before
 * @property {string[]} skipped names of tests that were not run
 * @property {string} [leftOut] why the suite could not run at all
 */

/** Counts jest's --json result; a file that could not be run, and a suite without a test, are failures. */
function countJest(name, { testResults }) {
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const names = (status) => tests.filter((t) => t.status === status).map((t) => t.fullName);
    const broken = testResults.filter(
        (file) => file.status === "failed" && !file.assertionResults.some(isFailed),
    );
    const none = testResults.length === 0 ? [`${name}: no test found`] : [];
    const told = [
        ...tests
            .filter(isFailed)
            .map(({ fullName, failureMessages = [] }) => [fullName, failureMessages.join("\n")]),
        ...broken.map(({ name: file, message }) => {
            const [first, ...rest] = message.trim().split("\n");
            return [`${file}: ${first}`, rest.join("\n")];
        }),
        ...none.map((failure) => [failure, ""]),
    ];
    const reasons = told.map(([, message]) => reasonOf(message));
    return {
        passed: names("passed").length,
        failed: told.length,
        failures: told.map(([failure]) => failure),
        reasons: reasons.map((reason, n) => (reasons.indexOf(reason) < n ? "" : reason)),
        skipped: [...names("pending"), ...names("todo"), ...names("disabled")],
    };
}

const isFailed = ({ status }) => status === "failed";
const reasonLines = 8;

/** The lines that tell: the engine's diagnostics where there are any, else the first; no stack, no colours. */
function reasonOf(message) {
    const lines = message.replace(/\u001B\[[\d;]*m/g, "").split("\n");
    const from = lines.findIndex((line) => /^ *Diagnostics:$/.test(line)) + 1;
    return lines
        .slice(from)
        .filter((line) => line.trim() !== "" && !/^\s+at |\bwarning: /.test(line))
        .slice(0, reasonLines)
        .map((line) => line.trimEnd().slice(0, 240))
        .join("\n");
}

/** Sums the suites; in CI what was left out or skipped counts as failed. */
function tally(results, { ci }) {
    const sum = (value) => results.reduce((total, result) => total + value(result), 0);
    const missed = sum(({ leftOut, skipped }) => (leftOut === undefined ? 0 : 1) + skipped.length);
    return {
        passed: sum(({ passed }) => passed),
        failed: sum(({ failed }) => failed) + (ci ? missed : 0),
        ci,
    };
}

/** The summary: failures, what was left out and why, and the last line, `N passed, N failed`. */
function render(results, { passed, failed, ci }) {
    const lines = results.flatMap(({ name, failures, reasons = [] }) =>
        failures.map((failure, n) => {
            const why = reasons[n] ? `\n    ${indent(reasons[n])}` : "";
            return `failed: ${name === failure ? name : `${name}: ${failure}`}${why}`;
        }),
    );
    const verdict = ci ? "failed (in CI nothing may be left out)" : "left out";
    for (const { name, leftOut, skipped } of results) {
        if (leftOut !== undefined) lines.push(`${verdict}: ${name}: ${indent(leftOut)}`);
        lines.push(...skipped.map((test) => `${verdict}: ${name}: ${test} (skipped)`));
    }
    return [...lines, `${String(passed)} passed, ${String(failed)} failed`, ""].join("\n");
}

const indent = (text) => text.split("\n").join("\n    ");

module.exports = { countJest, render, tally };
