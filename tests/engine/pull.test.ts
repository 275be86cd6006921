import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { runScript } from "../../components/host";
import { commandLinesWith } from "./commandLines";
import { everyLabNode, labConfig, labNodes, onNode, root, seenRanks } from "./lab";
import { type Registry, startRegistry } from "./registry";
import { LabStack } from "./stack";

// A registry behind a login: what is pulled from it and when, and where its password is not.
jest.setTimeout(240_000);

const [first = "", second = ""] = labNodes();
const third = everyLabNode()[2]?.host ?? "";
const sshConfig = labConfig()["sshConfig"] as string;
const { platform } = labConfig()["image"] as { platform: string };
let lab: LabStack;
let registry: Registry;
let folder: string;
const digests: Record<string, string> = {};

const image = (more: object = {}) => ({
    platform,
    registry: { server: registry.server, username: registry.username },
    mirrors: [{ from: "registry.example.test/spark", to: `${registry.server}/mirror` }],
    ...more,
});
const setPassword = (value: string) =>
    lab.stack.setConfig("spark-vllm:registryPassword", { value, secret: true });
const layersOf = (node: string, name: string) =>
    onNode(node, `docker image inspect -f '{{.RootFS.Layers}}' ${name} 2>&1`);

/** Files on the nodes that hold the login. */
async function filesWithLogin(): Promise<string> {
    const script = 'grep -rlF -e "$1" -e "$2" /root /tmp /var/tmp /dev/shm /etc 2>/dev/null || :';
    const looks = labNodes().map((name) =>
        runScript({ name, ssh: { destination: name, config: sshConfig } }, script, {
            args: [registry.password, registry.auth],
            timeoutSeconds: 60,
        }),
    );
    return (await Promise.all(looks)).map(({ stdout }) => stdout).join("");
}

/** The seed with another image and none to build. */
function recipeWith(dockerImage: string): string {
    const text = readFileSync(path.join(root, "recipes/dsv4-flash-vision/recipe.toml"), "utf8");
    const file = path.join(folder, "recipe.toml");
    const named = text.replace(/^docker_image = .*$/m, `docker_image = "${dockerImage}"`);
    writeFileSync(file, named.replace(/^docker_image_dir = .*$/m, ""));
    return file;
}

beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-pull-"));
    process.chdir(root);
    registry = await startRegistry(third, [first, second]);
    const build = `tar -c -C docker-images/stand-in . | ssh -F ${sshConfig} ${third} docker build -q -t stand-in:1 -`;
    await promisify(execFile)("sh", ["-c", build], { cwd: root });
    // Of this run alone: Docker asks no registry about a digest that it has seen before.
    const file = String.raw`FROM spark-lab-engine-base:13\nLABEL run=${registry.password.slice(-8)}`;
    await onNode(third, `printf '${file}' | docker build -q -t stand-in:base - 2>&1`);
    digests["base"] = await registry.push("stand-in:base", "mirror/base:1");
    digests["engine"] = await registry.push("stand-in:1", "mirror/engine:1");
    lab = await LabStack.create("lab-pull");
});

afterAll(async () => {
    await lab.remove();
    await registry.stop();
    // By names, never by id: an id would take the nodes' own base with it.
    const names = "{{.Repository}}@{{.Digest}}\n{{.Repository}}:{{.Tag}}";
    const ours = `docker image ls --digests --format '${names}' | grep -E '/(mirror|spark)/|^stand-in:' | grep -v none`;
    for (const node of [first, second, third]) {
        await onNode(node, `${ours} | sort -u | xargs -r docker image rm -f >/dev/null 2>&1 || :`);
    }
    rmSync(folder, { recursive: true });
});

test("a registry that refuses the login is told for each node, and nothing else was begun", async () => {
    const base = `registry.example.test/spark/base@${digests["base"] ?? ""}`;
    await lab.configure({ image: image({ dir: "stand-in", base }) });
    await setPassword("wrong");
    const said = await lab.failing(() => lab.up());
    for (const node of [first, second]) {
        expect(said).toContain(
            `${node}  ${registry.server}/mirror/base@${digests["base"] ?? ""} could not be pulled:`,
        );
    }
    expect(said).toMatch(/unauthorized[^]*check image\.registry, and set the secret/);
    expect(said).toContain("Nothing that serves was stopped");
    expect(await seenRanks()).toEqual([]);
});

test("a base behind a login is pulled before the build, by its digest, through the mirror", async () => {
    await setPassword(registry.password);
    const lines = await commandLinesWith([registry.password, registry.auth], () => lab.up());
    expect(lines).toEqual([]);
    expect(lab.output).toContain(`pulls ${registry.server}/mirror/base@sha256:`);
    expect(await filesWithLogin()).toBe("");
    expect(await lab.up()).toEqual({});
});

test("a recipe's image is pulled by its digest on every node; nothing keeps the password", async () => {
    const engine = `registry.example.test/spark/engine@${digests["engine"] ?? ""}`;
    await lab.configure({ recipe: recipeWith(engine), image: image() });
    let changes: unknown;
    const lines = await commandLinesWith([registry.password, registry.auth], async () => {
        changes = await lab.up();
    });
    expect(changes).toMatchObject({ "image-pull": "replace", "spark-2-rank": "replace" });
    const { tag } = (await lab.plan()).image;
    expect(tag).toBe(`registry.example.test/spark/engine:sha256-${engine.slice(-64).slice(0, 12)}`);
    expect(await layersOf(second, tag)).toBe(await layersOf(third, "stand-in:1"));
    expect(await layersOf(first, tag)).toBe(await layersOf(second, tag));
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);

    const kept = ["stack", "export", "--stack", lab.stack.name];
    const { stdout: state } = await promisify(execFile)("pulumi", kept, {
        cwd: root,
        maxBuffer: 2 ** 26,
    });
    const texts = [state, lab.output, lines.join("\n"), await filesWithLogin()].map(
        (text) => text.includes(registry.password) || text.includes(registry.auth),
    );
    expect([texts, lines]).toEqual([[false, false, false, false], []]);
    expect(await onNode(first, "ls -d /root/.docker/config.json 2>&1 || :")).toMatch(/No such/);
    expect(await lab.up()).toEqual({});
});

test("with image.strategy ship the first node alone pulls, and sends it to the other", async () => {
    await lab.configure({ image: image({ strategy: "ship" }) });
    const { tag } = (await lab.plan()).image;
    const names = `docker image ls --digests --format '{{.Repository}}@{{.Digest}}' | grep /engine@sha256`;
    await onNode(second, `docker image rm -f ${tag} $(${names}) >/dev/null`);
    const preview = await lab.preview();
    const changes = await lab.up();
    expect(changes).toEqual(preview);
    expect(changes).toMatchObject({ "image-ship": "create" });
    expect(changes).not.toHaveProperty("spark-2-rank");
    expect(lab.output).toContain(`sends ${tag} to ${second} over`);
    expect(lab.output).not.toMatch(/spark-2 {2}pulls/);
    expect(await layersOf(second, tag)).toBe(await layersOf(first, tag));
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);
    expect(await lab.up()).toEqual({});
});

/** The step alone, for some nodes, of a tag that may be pulled. */
async function pullTag(
    nodes: readonly string[],
    name: string,
    onText?: (text: string, kill: () => void) => void,
): Promise<string> {
    const step = execFile(process.execPath, ["scripts/host.js", "image-pull"], {
        cwd: root,
        env: { ...process.env, SPARK_VLLM_REGISTRY_PASSWORD: registry.password },
    });
    const { server, username } = registry;
    const pull = { what: "ranks", images: [name], nodes, login: { server, username } };
    const plan = { tag: name, reference: name, build: null, strategy: "per-node", platform, pull };
    const machines = labNodes().map((each) => ({
        name: each,
        ssh: { destination: each, config: sshConfig },
    }));
    step.stdin?.end(JSON.stringify({ nodes: machines, image: plan }));
    let said = "";
    step.stderr?.on("data", (text: string) => {
        said += text;
        onText?.(said, () => step.kill("SIGKILL"));
    });
    await new Promise((resolve) => step.on("close", resolve));
    return said;
}

test("a tag that moves between two pulls is the same image on all nodes", async () => {
    const name = `${registry.server}/mirror/moving:1`;
    await registry.push("spark-lab-engine-base:13", "mirror/moving:1");
    const digest = /moving@sha256:\w{64}/;
    expect(await pullTag([first], name)).toMatch(digest);
    await registry.push("stand-in:1", "mirror/moving:1");
    expect(await pullTag([first, second], name)).toMatch(
        /spark-2 {2}pulls \S+moving@sha256:\w{64}/,
    );
    expect(await layersOf(second, name)).toBe(await layersOf(first, name));
    expect(await layersOf(second, name)).not.toBe(await layersOf(third, "stand-in:1"));
    // There on both: no registry is asked.
    expect(await pullTag([first, second], name)).toBe("");
});

test("a pull that was killed leaves nothing of ours, and the next one goes on", async () => {
    const file = String.raw`FROM stand-in:base\nRUN head -c 60000000 /dev/urandom >/big`;
    await onNode(third, `printf '${file}' | docker build -q -t stand-in:big - 2>&1`);
    const digest = await registry.push("stand-in:big", "mirror/big:1");
    const name = `${registry.server}/mirror/big@${digest}`;
    const ours = `ps -e -o args | grep '^docker pull' || :; ls -d /dev/shm/spark-vllm-login.* 2>/dev/null || :`;
    // 60 MB in about five seconds.
    await onNode(third, "tc qdisc add dev eth0 root tbf rate 100mbit burst 1mb latency 50ms");
    try {
        let during: Promise<string> | undefined;
        await pullTag([second], name, (said, kill) => {
            if (!said.includes("pulls ") || during !== undefined) return;
            during = onNode(
                second,
                `until { ${ours}; } | grep -q login; do sleep 0.05; done; ${ours}`,
            ).finally(kill);
        });
        expect(await during).toMatch(/docker pull[^]*spark-vllm-login/);
        while ((await onNode(second, ours)) !== "");
        expect(await onNode(second, `docker image inspect ${name} 2>&1 || :`)).toMatch(
            /No such image/,
        );
    } finally {
        await onNode(third, "tc qdisc del dev eth0 root");
    }
    await pullTag([second], name);
    expect(await layersOf(second, name)).toBe(await layersOf(third, "stand-in:big"));
});
