// How long a group does not serve while an argument changes, against the engine's own boot: the same two containers
// started by hand at the same moment. Both are timed in one run by asking for completions through one tunnel. Then
// the time from a rank's death in its boot to the message about it. Simulated nodes; no test.
//   npm run lab -- up 2 && eval "$(scripts/setup --env)" && node tests/bench/outage.mjs [RUNS]
// With another lab: LAB=name, as for `lab up`. Goals: outage minus boot at most 5 s, message within 5 s.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { parse, stringify } from "yaml";

const root = path.resolve(import.meta.dirname, "../..");
const runs = Number(process.argv[2] ?? 3);
const lab = process.env.LAB ? `lab-${process.env.LAB}` : "lab";
const work = mkdtempSync(path.join(tmpdir(), "spark-bench-"));
mkdirSync(path.join(work, "state"));
const { PULUMI_CONFIG_PASSPHRASE_FILE: _, ...outer } = process.env;
const env = { ...outer, PULUMI_BACKEND_URL: `file://${work}/state`, PULUMI_CONFIG_PASSPHRASE: "" };

const stackFile = path.join(root, "Pulumi.lab-bench.yaml"); // ignored by git
const { config } = parse(readFileSync(path.join(root, `Pulumi.${lab}.yaml`), "utf8"));
config["spark-vllm:nodes"] = config["spark-vllm:nodes"].slice(0, 2);
const sshConfig = path.join(root, config["spark-vllm:sshConfig"]);
const seed = readFileSync(path.join(root, "recipes/dsv4-flash-vision/recipe.toml"), "utf8");
const port = 18_000 + (process.pid % 1000);

/** Writes the stack with a recipe that differs in one argument. */
function configure(seqs) {
    const recipe = path.join(work, "recipe.toml");
    writeFileSync(recipe, seed.replace('"--max-num-seqs", "2"', `"--max-num-seqs", "${seqs}"`));
    writeFileSync(stackFile, stringify({ config: { ...config, "spark-vllm:recipe": recipe } }));
}

/** Runs pulumi; every piece of its output is handed on with its time. */
function pulumi(args, onOutput = () => undefined) {
    const child = spawn("pulumi", [...args, "--stack", "lab-bench"], { cwd: root, env });
    for (const stream of [child.stdout, child.stderr])
        stream.on("data", (data) => onOutput(String(data)));
    return new Promise((resolve) => child.once("close", resolve));
}
const up = (onOutput) => pulumi(["up", "--yes", "--skip-preview"], onOutput);
const ssh = (node, line) =>
    execFileSync("ssh", ["-F", sshConfig, `spark-${node}`, line])
        .toString()
        .trim();
const rankOn = (node) => ssh(node, "docker ps -aq --filter label=spark-vllm.rank");
const fault = (node, ...order) =>
    execFileSync(path.join(root, "tests/lab/lab"), ["fault", String(node), ...order], { env });

async function serves() {
    try {
        const answer = await fetch(`http://127.0.0.1:${port}/v1/completions`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
                model: "deepseek-v4-flash-vision",
                prompt: "x",
                max_tokens: 1,
            }),
            signal: AbortSignal.timeout(2000),
        });
        return answer.status === 200;
    } catch {
        return false;
    }
}

/** Seconds without a completion while `during` runs, from the last answer before to the first after it. */
async function secondsWithout(during) {
    let [last, longest, over] = [Date.now(), 0, false];
    const done = during().then(() => (over = true));
    for (let answers = 0; !over || answers === 0; await pause(50)) {
        if (!(await serves())) continue;
        longest = Math.max(longest, Date.now() - last);
        last = Date.now();
        answers = over ? answers + 1 : 0;
    }
    await done;
    return longest / 1000;
}

/** The engine's own boot: both ranks stopped and started by hand, at the same moment. */
async function ownBoot() {
    const ranks = [1, 2].map((node) => [node, rankOn(node)]);
    for (const [node, id] of ranks) ssh(node, `docker kill ${id}`);
    const started = Date.now();
    for (const [node, id] of ranks)
        spawn("ssh", ["-F", sshConfig, `spark-${node}`, `docker start ${id}`]);
    while (!(await serves())) await pause(50);
    return (Date.now() - started) / 1000;
}

/** Seconds from a rank's death in its boot to the message with its last lines. */
async function toMessage(seqs) {
    fault(2, "exit", "3", "at", "load");
    configure(seqs);
    let saidAt = 0;
    await up((text) => {
        if (/rank 1 exited with code 3/.test(text)) saidAt ||= Date.now();
    });
    fault(2, "clear");
    const died = Date.parse(ssh(2, `docker inspect -f '{{.State.FinishedAt}}' ${rankOn(2)}`));
    await up();
    return (saidAt - died) / 1000;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const show = (values) =>
    `${median(values).toFixed(1)} s (${values.map((v) => v.toFixed(1)).join(", ")})`;
const tunnel = spawn("ssh", ["-F", sshConfig, "-NL", `${port}:127.0.0.1:8000`, "spark-1"]);
try {
    configure(2);
    await pulumi(["stack", "init"]);
    await up();
    const [outages, boots, messages] = [[], [], []];
    for (let run = 1; run <= runs; run += 1) {
        boots.push(await ownBoot());
        await pulumi(["up", "--yes", "--skip-preview", "--refresh"]); // a group of our own again
        configure(2 + run);
        outages.push(await secondsWithout(() => up()));
        messages.push(await toMessage(20 + run));
    }
    const extra = outages.map((outage, run) => outage - boots[run]);
    console.log(`outage of a change ${show(outages)}, engine's own boot ${show(boots)}`);
    console.log(`outage minus boot: ${show(extra)} (goal: at most 5)`);
    console.log(`from a rank's death to the message: ${show(messages)} (goal: at most 5)`);
} finally {
    await pulumi(["destroy", "--yes", "--skip-preview"]);
    tunnel.kill();
    rmSync(stackFile, { force: true });
    rmSync(work, { recursive: true });
}
