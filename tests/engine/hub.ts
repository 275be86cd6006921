import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { labConfig, labNodes, onNode, root } from "./lab";

const run = promisify(execFile);

/** Image with the stand-in engine, the hub's own client and the small hub (tests/fixtures). */
export const hubImage = "spark-test-hub:1";
/** Of the hub's models. */
export const hubRevision = "0123456789abcdef0123456789abcdef01234567";
const client = "huggingface_hub==2.4.0";
const port = 18090;
const container = "spark-test-hub";
export const hubEndpoint = `http://127.0.0.1:${String(port)}`;

/** Fetches the client for the nodes' Python and builds the image on every node. */
export async function buildHubImage(): Promise<void> {
    const context = mkdtempSync(path.join(os.tmpdir(), "spark-hub-"));
    try {
        const machine = os.arch() === "arm64" ? "aarch64" : "x86_64";
        await run(
            "python3",
            [
                ..."-m pip download --quiet --only-binary=:all: --python-version 3.13".split(" "),
                ...["--platform", `manylinux2014_${machine}`, "--dest"],
                ...[path.join(context, "wheels"), client],
            ],
            { cwd: root },
        );
        for (const name of ["vllm", "bin"])
            cpSync(path.join(root, "docker-images/stand-in", name), path.join(context, name), {
                recursive: true,
            });
        const fixtures = path.join(root, "tests/fixtures");
        cpSync(path.join(fixtures, "hub/server.py"), path.join(context, "server.py"));
        cpSync(
            path.join(fixtures, "images/hub-client/Dockerfile"),
            path.join(context, "Dockerfile"),
        );
        const [first = "", ...others] = labNodes();
        await build(context, first);
        await Promise.all(others.map((node) => copyImage(first, node)));
    } finally {
        rmSync(context, { recursive: true });
    }
}

async function build(context: string, node: string): Promise<void> {
    const ssh = `ssh -F '${String(labConfig()["sshConfig"])}' ${node}`;
    const line = `tar -C '${context}' -c . | ${ssh} docker build --quiet --tag ${hubImage} -`;
    await run("sh", ["-c", line], { cwd: root });
}

/** The same image on every node: two builds would have two ids. */
async function copyImage(from: string, to: string): Promise<void> {
    const ssh = `ssh -F '${String(labConfig()["sshConfig"])}'`;
    const line = `${ssh} ${from} docker save ${hubImage} | ${ssh} ${to} docker load`;
    await run("sh", ["-c", line], { cwd: root });
}

/** Starts the hub on the first node, where it is asked. */
export async function startHub(): Promise<void> {
    const [node = ""] = labNodes();
    await stopHub();
    const options = `--detach --network host --name ${container} --entrypoint python3`;
    await onNode(node, `docker run ${options} ${hubImage} /opt/hub/server.py ${String(port)}`);
    const ask = `docker exec ${container} python3 -c 'import urllib.request as u; u.urlopen("${hubEndpoint}/log")'`;
    await onNode(node, `for i in $(seq 50); do ${ask} 2>/dev/null && break; sleep 0.2; done`);
}

export async function stopHub(): Promise<void> {
    const [node = ""] = labNodes();
    await onNode(node, `docker rm -f ${container} >/dev/null 2>&1 || true`);
}

/** One request as the hub saw it: method, path, Range, whether a token came. */
export type HubRequest = readonly [string, string, string | null, boolean];

/** What was asked for since the last call of hubFaults. */
export async function hubLog(): Promise<readonly HubRequest[]> {
    const [node = ""] = labNodes();
    const code = `import urllib.request as u; print(u.urlopen("${hubEndpoint}/log").read().decode())`;
    const text = await onNode(node, `docker exec ${container} python3 -c '${code}'`);
    return JSON.parse(text) as HubRequest[];
}

/** Sets the hub's faults (server.py) and empties its log. */
export async function hubFaults(faults: {
    readonly cut: number;
    readonly pause: number;
}): Promise<void> {
    const [node = ""] = labNodes();
    const code = `import urllib.request as u; u.urlopen("${hubEndpoint}/faults", data=b"""${JSON.stringify(faults)}""")`;
    await onNode(node, `docker exec ${container} python3 -c '${code}'`);
}

/** The seed recipe with another model, in an image that is there; to be named by the stack's `recipe` key. */
export function hubRecipe(folder: string, model: string): string {
    const text = readFileSync(path.join(root, "recipes/dsv4-flash-vision/recipe.toml"), "utf8")
        .replace(/^docker_image = .*$/m, `docker_image = "${hubImage}"`)
        .replace(/^docker_image_dir = .*\n/m, "")
        .replace(/^model = .*$/m, `model = "${model}"`);
    const file = path.join(folder, "recipe.toml");
    writeFileSync(file, text);
    return file;
}
