// How long one image takes from the first simulated node to the others: the program's step beside
// `docker save | ssh docker load` through this machine, in one run. It is no test.
//   npm run lab -- up 4 && node tests/bench/ship.mjs [MEGABYTES [RECEIVERS]], e.g. 2000 1,3
// With another lab: LAB=name, as for `lab up`. Each node needs three times the image's size on this machine's disk.
import { execFile, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { parse } from "yaml";

const root = path.resolve(import.meta.dirname, "../..");
process.chdir(root);
const megabytes = Number(process.argv[2] ?? 2000);
const counts = (process.argv[3] ?? "1,3,7").split(",").map(Number);
const lab = process.env.LAB ? `lab-${process.env.LAB}` : "lab";
const { config } = parse(readFileSync(`Pulumi.${lab}.yaml`, "utf8"));
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

/** Most memory of the program's own processes at one moment, MB: here, and on one node. */
const peak = { here: 0, node: 0 };
const megabytesOf = (text) =>
    String(text)
        .split("\n")
        .reduce((sum, line) => sum + Number.parseInt(line.trim() || "0", 10) / 1024, 0);
/** Watches until the signal; the step with its ssh clients, and what it runs on the nodes but Docker's own. */
async function watchMemory(pid, receiverCount, signal) {
    while (!signal.aborted) {
        try {
            const here = execFileSync("ps", ["-o", "rss=", "--pid", `${pid}`, "--ppid", `${pid}`]);
            peak.here = Math.max(peak.here, megabytesOf(here));
            // The simulated nodes' processes are this machine's, too: what the sender runs, and one receiver.
            const all = String(execFileSync("ps", ["-e", "-o", "rss=,args="]));
            const of = (what) =>
                megabytesOf(
                    all
                        .split("\n")
                        .filter((line) => what.test(line))
                        .join("\n"),
                );
            peak.node = Math.max(
                peak.node,
                of(/python3? -uc import/) + of(/docker run .*image-ship/),
            );
            peak.node = Math.max(peak.node, of(/perl -e|docker pull 127/) / receiverCount);
        } catch {
            return; // It has ended.
        }
        await new Promise((resolve) => setTimeout(resolve, 1000));
    }
}
function ours(to) {
    const step = spawn(process.execPath, ["scripts/host.js", "image-ship"], {
        stdio: ["pipe", "ignore", "inherit"],
    });
    const plan = { tag: image, reference: image, build: null, strategy: "ship" };
    const { platform } = config["spark-vllm:image"];
    step.stdin.end(
        JSON.stringify({
            nodes: [sender, ...to],
            image: { ...plan, platform },
            owner: "spark-bench",
        }),
    );
    const watch = new AbortController();
    void watchMemory(step.pid, to.length, watch.signal);
    return ended(step).finally(() => watch.abort());
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

/** MB/s of one plain connection over the fabric, until all has come. */
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

// Five layers, as a vLLM image has a few large ones; none of them is on the other nodes. Python is the base's.
const base = "spark-lab-engine-base:13";
const layers = [1, 2, 3, 4, 5];
const dockerfile = [`FROM ${base}`, ...layers.map((i) => `COPY big${i} /big${i}`)].join("\\n");
await on(
    sender,
    `d=$(mktemp -d -p /var/lib/docker) && cd $d && for i in ${layers.join(" ")}; do head -c ${megabytes / 5}000000 /dev/urandom >big$i; done && printf '${dockerfile}' >Dockerfile && docker build -q -t ${image} . && rm -r $d`,
);
execFileSync(process.execPath, ["scripts/build.mjs"]);
try {
    const first = receivers[0];
    for (const count of counts.filter((each) => each <= receivers.length)) {
        const to = receivers.slice(0, count);
        // All at once, as the image comes: here they share one machine.
        const network = Math.min(...(await Promise.all(to.map(tcp))));
        const store = Math.min(...(await Promise.all(to.map(disk))));
        console.log(
            `${count} at once: plain TCP ${network.toFixed(0)} MB/s, disk write ${store.toFixed(0)} MB/s each`,
        );
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
    const file = "/var/lib/docker/spark-bench.tar";
    await on(first, `docker save -o ${file} ${image} && docker image rm ${image} && sync`);
    const alone = await seconds(() => on(first, `docker load -q -i ${file}`));
    await on(first, `rm ${file}`);
    console.log(`docker load alone, from a file on its disk: ${alone.toFixed(1)} s`);
    console.log(
        `memory of our processes: ${peak.here.toFixed(0)} MB here, ${peak.node.toFixed(0)} MB on a node (goal: under 300)`,
    );
} finally {
    await Promise.all(
        nodes.map((node) => on(node, `docker image rm -f ${image} >/dev/null 2>&1 || :`)),
    );
}
