// How long `pulumi preview` of the seed recipe takes against a bare Pulumi program with the same resources,
// side by side in alternating runs. Prints the ratio of the medians; it is no test.
//   node tests/bench/preview.mjs [RUNS]
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const runs = Number(process.argv[2] ?? 7);
const work = mkdtempSync(path.join(tmpdir(), "spark-bench-"));
mkdirSync(path.join(work, "state"));
mkdirSync(path.join(work, "bare"));
const env = {
    ...process.env,
    PULUMI_BACKEND_URL: `file://${work}/state`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
};
const pulumi = (cwd, ...args) =>
    execFileSync("pulumi", args, { cwd, env, stdio: "pipe" }).toString();

// The same 16 resources, written straight down: what a user would start from, in plain JavaScript, the fastest form.
const bare = `
const pulumi = require("@pulumi/pulumi"), docker = require("@pulumi/docker"), command = require("@pulumi/command");
class Group extends pulumi.ComponentResource {}
const cluster = new Group("bare:index:Cluster", "cluster");
const step = (name, opts) => new command.local.Command(name, { create: "true", stdin: "{}" }, { parent: cluster, ...opts });
step("group-id");
const preflight = step("preflight");
const ranks = ["spark-1", "spark-2"].map((node) => {
    const parent = new Group("bare:index:Node", node, {}, { parent: cluster });
    const provider = new docker.Provider(node + "-docker", { host: "ssh://spark@" + node }, { parent });
    const image = new docker.Image(node + "-image", { imageName: "bare:local", skipPush: true,
        build: { context: ".", platform: "linux/arm64" } }, { parent, provider, dependsOn: [preflight] });
    const caches = step(node + "-caches", { parent, dependsOn: [image] });
    return new docker.Container(node + "-rank", { image: "bare:local", name: "bare", networkMode: "host" },
        { parent, provider, dependsOn: [caches] });
});
step("change-over");
step("launch", { dependsOn: ranks });
`;
writeFileSync(path.join(work, "bare/index.js"), bare);
writeFileSync(path.join(work, "bare/Dockerfile"), "FROM scratch\n");
writeFileSync(path.join(work, "bare/package.json"), '{"name":"bare","main":"index.js"}');
writeFileSync(
    path.join(work, "bare/Pulumi.yaml"),
    "name: bare\nruntime: {name: nodejs, options: {typescript: false}}\n",
);
symlinkSync(path.join(root, "node_modules"), path.join(work, "bare/node_modules"));

function milliseconds(cwd) {
    const started = process.hrtime.bigint();
    const text = pulumi(cwd, "preview", "--stack", "lab-bench");
    const resources = /\+ (\d+) to create/.exec(text)?.[1];
    return { time: Number(process.hrtime.bigint() - started) / 1e6, resources };
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
    const config = path.join(root, "Pulumi.lab-bench.yaml"); // ignored by git
    execFileSync("cp", [path.join(root, "Pulumi.spark.yaml"), config]);
    pulumi(path.join(work, "bare"), "stack", "init", "lab-bench");
    pulumi(root, "stack", "init", "lab-bench");
    const program = [],
        bareProgram = [];
    let counts = "";
    for (let run = 0; run <= runs; run += 1) {
        const ours = milliseconds(root);
        const theirs = milliseconds(path.join(work, "bare"));
        counts = `${ours.resources} and ${theirs.resources} resources`;
        if (run === 0) continue; // warms the disk cache of both
        program.push(ours.time);
        bareProgram.push(theirs.time);
    }
    const [a, b] = [median(program), median(bareProgram)];
    console.log(
        `preview of the seed: ${(a / 1000).toFixed(2)} s, bare program: ${(b / 1000).toFixed(2)} s (${counts}, ${runs} runs each)`,
    );
    console.log(`ratio ${(a / b).toFixed(2)} (goal: at most 1.3)`);
} finally {
    rmSync(path.join(root, "Pulumi.lab-bench.yaml"), { force: true });
    rmSync(work, { recursive: true });
}
