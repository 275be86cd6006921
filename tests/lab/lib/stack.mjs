// The lab's stack configuration: writes the keys below into it, or takes them away again. All others stay.
//   stack.mjs write FILE FABRIC_NET PLATFORM SSH_CONFIG ENGINE NODE…  |  stack.mjs remove FILE
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseDocument } from "yaml";

const ours = ["recipe", "nodes", "sshConfig", "image", "model", "nas"].map(
    (key) => `spark-vllm:${key}`,
);
const standIns = { host: "/run/spark-lab", container: "/run/spark-lab", read_only: true };

/** What differs between the engines that the nodes can serve with. */
const engines = {
    "stand-in": {
        recipe: "dsv4-flash-vision",
        image: { dir: "stand-in" },
        model: { revision: "86f746b36186f0e567729a5c06a8c918caba82a9" },
        node: () => ({ mounts: [{ ...standIns }] }),
    },
    // The recipe names image and revision itself. Both nodes are this machine: each rank gets a core of its own.
    vllm: {
        nodes: 2,
        recipe: "tiny-cpu",
        image: {},
        node: (number) => ({
            env: { VLLM_CPU_OMP_THREADS_BIND: String((number - 1) % availableParallelism()) },
        }),
    },
};

function node(number, fabricNet, engine) {
    return {
        name: `spark-${number}`,
        host: `spark-${number}`,
        home: "/root",
        fabric: {
            address: `${fabricNet}.${number}`,
            interface: "enp1s0f1np1",
            hcas: ["rocep1s0f1"],
            mtu: 9000,
        },
        ...engine.node(number),
    };
}

function settings(fabricNet, platform, sshConfig, name, numbers) {
    const engine = engines[name];
    const values = [
        engine.recipe,
        numbers.slice(0, engine.nodes).map((number) => node(number, fabricNet, engine)),
        sshConfig,
        { ...engine.image, platform },
        engine.model,
        { fsTypes: ["fuse.sshfs"] },
    ];
    return ours.map((key, index) => [key, values[index]]);
}

const [action, file, ...rest] = process.argv.slice(2);
const before = existsSync(file) ? readFileSync(file, "utf8") : "";
const document = parseDocument(before || "config: {}\n");
if (action === "write") {
    const [fabricNet, platform, sshConfig, engine, ...numbers] = rest;
    for (const [key, value] of settings(fabricNet, platform, sshConfig, engine, numbers)) {
        if (value === undefined) document.deleteIn(["config", key]);
        else document.setIn(["config", key], document.createNode(value));
    }
} else {
    for (const key of ours) document.deleteIn(["config", key]);
}
document.get("config").flow = false;

// Without our keys a file that holds no more than the salt of a stack is of no use.
const config = document.toJS();
const others = Object.keys(config.config ?? {}).length > 0;
const rootKeys = Object.keys(config).filter((key) => !["config", "encryptionsalt"].includes(key));
if (action === "remove" && !others && rootKeys.length === 0) {
    rmSync(file, { force: true });
} else {
    const text = document.toString({ lineWidth: 0 });
    if (text !== before) writeFileSync(file, text);
}
