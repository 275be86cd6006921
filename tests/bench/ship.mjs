// How long one image takes from the first simulated node to the others: the program's step beside
// `docker save | ssh docker load` through this machine, in one run. It is no test.
//   npm run lab -- up 4; node tests/bench/ship.mjs [MEGABYTES] [STACK_FILE]
import { execFile, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { parse } from "yaml";

const root = path.resolve(import.meta.dirname, "../..");
process.chdir(root);
const megabytes = Number(process.argv[2] ?? 2000);
const { config } = parse(readFileSync(process.argv[3] ?? "Pulumi.lab.yaml", "utf8"));
const ssh = ["-F", config["spark-vllm:sshConfig"]];
const nodes = config["spark-vllm:nodes"].map(({ name, host, fabric }) => ({
    name,
    ssh: { destination: host, config: ssh[1] },
    fabric,
}));
const [sender, ...receivers] = nodes;
const image = "spark-bench:1";

const on = ({ ssh: { destination } }, line) =>
    promisify(execFile)("ssh", [...ssh, destination, line], { maxBuffer: 1e8 });
const remove = () =>
    Promise.all(receivers.map((node) => on(node, `docker image rm -f ${image} 2>&1; sync`)));
async function seconds(work) {
    const started = process.hrtime.bigint();
    await work();
    return Number(process.hrtime.bigint() - started) / 1e9;
}
const ended = (child) =>
    new Promise((resolve, reject) => {
        child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`code ${code}`))));
    });

let peakMegabytes = 0;
function ours(to) {
    const step = spawn(process.execPath, ["scripts/host.js", "image-ship"], {
        stdio: ["pipe", "ignore", "ignore"],
    });
    const plan = { tag: image, reference: image, build: null, strategy: "ship" };
    const input = {
        nodes: [sender, ...to],
        image: { ...plan, platform: process.env.PLATFORM ?? "linux/amd64" },
    };
    step.stdin.end(JSON.stringify(input));
    const timer = setInterval(() => {
        try {
            const status = readFileSync(`/proc/${step.pid}/status`, "utf8");
            const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
            peakMegabytes = Math.max(peakMegabytes, peak);
        } catch {
            // It has ended, or this is no Linux.
        }
    }, 100);
    return ended(step).finally(() => clearInterval(timer));
}
const save = `ssh -F ${ssh[1]} ${sender.ssh.destination} docker save ${image}`;
const throughHere = (to) =>
    Promise.all(
        to.map(({ ssh: { destination } }) =>
            ended(
                spawn("sh", ["-c", `${save} | ssh -F ${ssh[1]} ${destination} docker load -q`], {
                    stdio: "ignore",
                }),
            ),
        ),
    );

/** MB/s of one plain connection over the fabric. */
async function tcp(to) {
    const { address } = sender.fabric;
    const script = `$|=1; $s=IO::Socket::INET->new(LocalAddr=>"${address}",Listen=>1); print $s->sockport,"\\n"; $c=$s->accept; $b="x"x1048576; syswrite $c,$b for 1..${megabytes}`;
    const serving = spawn("ssh", [
        ...ssh,
        sender.ssh.destination,
        `perl -MIO::Socket::INET -e '${script}'`,
    ]);
    const port = await new Promise((resolve) =>
        serving.stdout.once("data", (data) => resolve(String(data).trim())),
    );
    const took = await seconds(() =>
        on(to, `bash -c 'cat </dev/tcp/${address}/${port} >/dev/null'`),
    );
    return (megabytes * 1.048576) / took;
}
/** MB/s of Docker's disk, until the data is on it. */
async function disk(node) {
    const file = "/var/lib/docker/spark-bench";
    const took = await seconds(() =>
        on(
            node,
            `dd if=/dev/zero of=${file} bs=1M count=${megabytes} conv=fsync 2>/dev/null; rm ${file}`,
        ),
    );
    return (megabytes * 1.048576) / took;
}

// Without a base that the others have: all of it travels.
const dockerfile = `FROM scratch\\nCOPY big /big`;
await on(
    sender,
    `d=$(mktemp -d) && cd $d && head -c ${megabytes}000000 /dev/urandom >big && printf '${dockerfile}' >Dockerfile && docker build -q -t ${image} . && rm -r $d`,
);
execFileSync(process.execPath, ["scripts/build.mjs"]);
try {
    const first = receivers[0];
    const [network, store] = [await tcp(first), await disk(first)];
    console.log(`plain TCP ${network.toFixed(0)} MB/s, disk write ${store.toFixed(0)} MB/s`);
    for (const count of [1, 3, 7].filter((each) => each <= receivers.length)) {
        const to = receivers.slice(0, count);
        await remove();
        const a = await seconds(() => ours(to));
        await remove();
        const b = await seconds(() => throughHere(to));
        const rate = (megabytes / a).toFixed(0);
        console.log(
            `${count} receiver(s), ${megabytes} MB: ship ${a.toFixed(1)} s (${rate} MB/s each), save | ssh load ${b.toFixed(1)} s, ratio ${(b / a).toFixed(2)} (goal: 2)`,
        );
        const part = megabytes / a / Math.min(network, store);
        console.log(`  of the slower of TCP and disk: ${part.toFixed(2)} (goal: 0.8)`);
    }
    console.log(`memory of the step: ${peakMegabytes.toFixed(0)} MB (goal: under 300)`);
} finally {
    await Promise.all(
        nodes.map((node) => on(node, `docker image rm -f ${image} >/dev/null 2>&1 || :`)),
    );
}
