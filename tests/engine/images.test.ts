import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { labConfig, labNodes, onNode, root } from "./lab";

const run = promisify(execFile);
const fixtures = path.join(root, "tests/fixtures/images");
const image = path.join(root, "docker-images/dsv4-flash-vision");
const base = "spark-test-vision-base:1";
const built = "spark-test-vision:1";
const node = labNodes()[0] ?? "";

/** Builds on the node from folders of this machine, as one context; gives all that the build said. */
async function build(folders: readonly string[], options: readonly string[]): Promise<string> {
    const tar = `tar -c ${folders.join(" ")}`;
    const ssh = `ssh -F ${String(labConfig()["sshConfig"])} ${node}`;
    const quoted = options.map((option) => `'${option.replaceAll("'", `'"'"'`)}'`).join(" ");
    const line = `docker build --network host --progress plain ${quoted} - 2>&1`;
    const script = 'eval "$1" | eval "$2" \'"$3"\'';
    const { stdout } = await run("sh", ["-c", script, "sh", tar, ssh, line], {
        cwd: root,
        maxBuffer: 2 ** 24,
    });
    return stdout;
}

/** What the machine's apt is told about dates and proxies holds in the build too. */
async function aptOptions(): Promise<string> {
    const { stdout } = await run("apt-config", ["dump"]).catch(() => ({ stdout: "" }));
    return stdout
        .split("\n")
        .filter((line) => /^Acquire::(Check-|https?::Proxy)/.test(line) && !line.includes('""'))
        .join("\n");
}

function sha256(file: string): string {
    return createHash("sha256").update(readFileSync(file)).digest("hex");
}

const plugin = [
    "patch_dspark_skip_bias_vl.py",
    "plugin/dsv4_vision/__init__.py",
    "plugin/dsv4_vision/vl_model.py",
    "plugin/pyproject.toml",
];
const contexts: string[] = [];
let commit = "";
let loader = "";

/** The image's own folder, with the checksums of the stand-ins instead of those of the real parts. */
function context(change: (folder: string) => void = () => undefined): string {
    const folder = mkdtempSync(path.join(os.tmpdir(), "spark-images-"));
    contexts.push(folder);
    cpSync(image, folder, { recursive: true });
    const sums = plugin.map(
        (file) => `${sha256(path.join(fixtures, "upstream/docker", file))}  ${file}\n`,
    );
    writeFileSync(path.join(folder, "build/plugin.sha256"), sums.join(""));
    writeFileSync(
        path.join(folder, "build/instanttensor.txt"),
        `instanttensor==0.1.9 --hash=sha256:${loader}\n`,
    );
    change(folder);
    return folder;
}

const buildVision = (
    folder: string,
    args: Readonly<Record<string, string>> = {},
): Promise<string> =>
    build(
        ["-C", folder, "."],
        [
            ...Object.entries({
                BASE: base,
                PLUGIN_URL: "file:///srv/upstream.git",
                PLUGIN_COMMIT: commit,
                SPARK_VLLM_CONTEXT: "a1b2",
                ...args,
            }).map(([name, value]) => `--build-arg=${name}=${value}`),
            "--no-cache",
            `--tag=${built}`,
        ],
    );

/** Runs a shell line in the image that was built. */
const inImage = (line: string): Promise<string> =>
    onNode(node, `docker run --rm ${built} sh -euc '${line}'`);

beforeAll(async () => {
    await build(
        ["-C", fixtures, "engine-base", "upstream", "loader"],
        [
            `--build-arg=APT_OPTIONS=${await aptOptions()}`,
            "--file=engine-base/Dockerfile",
            `--tag=${base}`,
        ],
    );
    const read = `docker run --rm --entrypoint cat ${base} /srv/commit /srv/loader.sha256`;
    [commit = "", loader = ""] = (await onNode(node, read)).split(/\s+/);
}, 600_000);

afterAll(async () => {
    for (const folder of contexts) rmSync(folder, { recursive: true });
    await onNode(node, `docker image rm --force ${built} ${base} >/dev/null`);
}, 60_000);

const packages = "/usr/local/lib/python3.13/dist-packages";

test("every step of the image runs, and two builds have the same content", async () => {
    await buildVision(context());
    const content = `cd ${packages}; find dsv4_vision* instanttensor* vllm -type f | sort | xargs sha256sum`;
    const first = await inImage(content);
    const config = JSON.parse(
        await onNode(node, `docker inspect --format "{{json .Config}}" ${built}`),
    ) as { Env: string[]; Entrypoint: null; Labels: Record<string, string> };
    expect(config.Env.filter((entry) => !/^(PATH|PIP_[A-Z_]+)=/.test(entry))).toEqual([
        "VLLM_PLUGINS=dsv4_vision",
        "VLLM_ENGINE_READY_TIMEOUT_S=3600",
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
        "TORCH_CUDA_ARCH_LIST=12.1a",
        "FLASHINFER_CUDA_ARCH_LIST=12.1a",
        "FLASHINFER_DISABLE_VERSION_CHECK=1",
    ]);
    expect(config.Entrypoint).toBeNull();
    expect(config.Labels).toMatchObject({
        "org.opencontainers.image.base.name": base,
        "org.opencontainers.image.revision": commit,
        "spark-vllm.context": "a1b2",
    });
    expect(await inImage(`head -n 1 ${packages}/vllm/models/deepseek_v4/nvidia/dspark.py`)).toBe(
        'SKIPPED = "ffn.gate.bias_vl"',
    );
    expect(await inImage("for f in /parts /build; do [ ! -e $f ] || echo $f; done")).toBe("");
    await buildVision(context());
    expect(await inImage(content)).toBe(first);
    expect(first.split("\n").length).toBeGreaterThan(8);
}, 300_000);

const edit =
    (name: string, to: (text: string) => string) =>
    (folder: string): void => {
        const file = path.join(folder, "build", name);
        writeFileSync(file, to(readFileSync(file, "utf8")));
    };

test.each<[string, (folder: string) => void, Record<string, string>, string]>([
    [
        "plugin files other than listed",
        edit("plugin.sha256", (text) => text.replace(/^[0-9a-f]{8}/, "00000000")),
        {},
        "is not the one in build/plugin.sha256",
    ],
    [
        "a plugin file that is not listed",
        edit("plugin.sha256", (text) => text.replace(/.*__init__.*\n/, "")),
        {},
        "the plugin has 3 files, build/plugin.sha256 lists 2",
    ],
    [
        "a commit that the server does not have",
        () => undefined,
        { PLUGIN_COMMIT: "7a958128b84afaeeeb3e7f6681e9e98cc5ba2812" },
        "does not give out commit 7a958128b84afaeeeb3e7f6681e9e98cc5ba2812",
    ],
    [
        "another loader archive",
        edit("instanttensor.txt", (text) => text.replace(/sha256:.*/, `sha256:${"0".repeat(64)}`)),
        {},
        "THESE PACKAGES DO NOT MATCH THE HASHES",
    ],
    [
        "a base without git",
        () => undefined,
        { BASE: "spark-lab-engine-base:13" },
        "the base image has no git",
    ],
])(
    "the build ends on %s",
    async (_, change, args, message) => {
        const said = buildVision(context(change), args);
        await expect(said).rejects.toMatchObject({
            stdout: expect.stringContaining(message) as string,
        });
    },
    300_000,
);
