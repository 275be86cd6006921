#!/usr/bin/env node
// `npm run demo`: the whole program on simulated Sparks, from set-up to a clean machine. See README.
// Exit codes: 0 shown, 1 failed, 2 wrong usage, 3 no engine or no Docker here: only the plans were shown, 130 Ctrl-C.
const fs = require("node:fs");
const path = require("node:path");

const { Cluster } = require("./demo/cluster.js");
const { showPlans } = require("./demo/fallback.js");
const { takeLock } = require("./lock.js");
const { Nodes } = require("./demo/nodes.js");
const { readOptions, usage } = require("./demo/options.js");
const { Page } = require("./demo/page.js");
const { prepare } = require("./demo/prepare.js");
const { endDescendants, root } = require("./demo/processes.js");
const { shows } = require("./demo/show.js");
const { Story } = require("./demo/story.js");
const { Traces } = require("./demo/traces.js");

const colour = process.stdout.isTTY === true && !process.env.NO_COLOR;
const page = new Page((text) => process.stdout.write(text), colour);

/** Whatever runs is ended, then all is taken down; a second Ctrl-C changes nothing about that. */
function cleanUpOnSignal(nodes, release) {
    let ending;
    const end = (signal) => {
        ending ??= (async () => {
            page.text("", `${signal}: taking everything down`);
            await endDescendants();
            await takeDown(nodes);
            release();
            process.exit(130);
        })();
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
    return () => ending;
}

/** After an end before its time: takes down what was started, if anything was. */
async function takeDown(nodes) {
    if (!nodes.leftOver()) return;
    try {
        await nodes.down((text) => page.step(text));
    } catch (error) {
        page.text("not everything was taken down:", ...error.message.split("\n"));
        page.text("npm run demo -- --down tries again");
    }
}

async function play(nodes, options) {
    page.section("Set-up");
    const reason = await prepare(options);
    if (reason !== undefined) return onlyPlans(nodes, shows[options.engine], reason);
    const cluster = new Cluster(nodes, (text) => page.step(text));
    const traces = new Traces(nodes);
    const story = new Story({ page, nodes, cluster, traces, show: shows[options.engine], options });
    await story.startNodes();
    await story.preview();
    await story.deploy();
    await story.ask();
    await story.changeArgument();
    await story.revive();
    if (options.keep) return kept(nodes, (await cluster.outputs()).nodes[0]);
    await story.destroy();
    await story.proveNothingLeft();
    page.section("Summary");
    page.text(
        ...page.summary().slice(0, -1),
        "",
        "Next: a real pair, README.md and docs/first-pair.md.",
        `demo: all shown in ${page.seconds().toFixed(0)} s, nothing was left behind`,
    );
    return 0;
}

async function onlyPlans(nodes, show, reason) {
    page.text("", page.bold("The simulated Sparks cannot run here:"), ...reason.split("\n"));
    try {
        await showPlans(page, show, nodes.files);
    } finally {
        fs.rmSync(nodes.files, { recursive: true, force: true });
    }
    page.text("", "demo: only plans were shown; nothing was started");
    return 3;
}

function kept(nodes, head) {
    page.section("Kept for a look");
    const state = path.join(nodes.files, "state");
    page.text(
        `export PULUMI_BACKEND_URL=file://${state} PULUMI_CONFIG_PASSPHRASE=`,
        `npm run pulumi -- stack output --stack ${nodes.stack}`,
        `ssh -F ${nodes.sshConfig} ${head.name} docker logs ${head.container}`,
        `ssh -F ${nodes.sshConfig} -N -L 8000:127.0.0.1:8000 ${head.name} &   # then: curl http://127.0.0.1:8000/v1/models`,
        "",
        "demo: kept; npm run demo -- --down takes all of it down",
    );
    return 0;
}

async function main(words) {
    const options = readOptions(words);
    if (options.help) {
        process.stdout.write(`${usage}\n`);
        return 0;
    }
    const nodes = new Nodes(options);
    const release = takeLock(path.join(root, ".lab", `${nodes.name}.lock`));
    if (typeof release !== "function") {
        page.text(
            `demo: another one runs in this folder (process ${release.pid}). Nothing was changed.`,
            "Wait for it, or end it with Ctrl-C: it cleans up.",
        );
        return 1;
    }
    const ending = cleanUpOnSignal(nodes, release);
    try {
        if (options.down) {
            await nodes.down((text) => page.step(text));
            page.text("demo: taken down");
            return 0;
        }
        return await play(nodes, options);
    } catch (error) {
        // What failed because it was ended is no failure of its own.
        await ending();
        page.text("", page.bold("demo: failed"), ...error.message.split("\n"));
        await takeDown(nodes);
        return 1;
    } finally {
        release();
    }
}

main(process.argv.slice(2)).then(
    (code) => {
        process.exitCode = code;
    },
    (error) => {
        process.stderr.write(`demo: ${error.message}\n`);
        process.exitCode = 2;
    },
);
