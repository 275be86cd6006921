import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { headKey, httpOverSsh, runScript, smoke } from "../../components/host";
import { commandLinesWith } from "./commandLines";
import { lab as labCommand, labConfig, labNodes, onNode, root, seenRanks } from "./lab";
import { LabStack } from "./stack";

// Where the API's key is, and where it is not, through the life of a stack; each test stands on the one before it.
jest.setTimeout(240_000);

/** Keys that are found wherever they leak to. */
const [first, second] = [0, 1].map(() => `marker-${randomBytes(8).toString("hex")}`) as [
    string,
    string,
];
const leaks = (text: string) => [first, second].filter((key) => text.includes(key));

const [head = "", worker = ""] = labNodes();
const config = labConfig()["sshConfig"] as string;
const nodeOf = (name: string) => ({ name, ssh: { destination: name, config } });

let lab: LabStack;
let folder: string;
/** All that any operation displayed. */
let displayed = "";

const setKey = (value: string) => lab.stack.setConfig("spark-vllm:apiKey", { value, secret: true });

/** Command lines that hold a key while `during` runs. */
async function commandLines(during: () => Promise<unknown>): Promise<readonly string[]> {
    const found = commandLinesWith([first, second], during);
    return found.finally(() => (displayed += lab.output));
}

/** What the API says to a request with this key. */
async function status(key?: string): Promise<number> {
    const answer = await httpOverSsh(
        nodeOf(head),
        { host: "127.0.0.1", port: 8000 },
        {
            method: "GET",
            path: "/v1/models",
            headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
            timeoutSeconds: 20,
        },
    );
    return answer.status;
}

/** Where a node or the state holds a key, outside of the head's own process and file. */
async function traces(): Promise<readonly string[]> {
    // Not by the SDK, which asks for the secrets in plain text.
    const { stdout: state } = await promisify(execFile)(
        "pulumi",
        ["stack", "export", "--stack", lab.stack.name],
        { cwd: root, maxBuffer: 64 * 1024 ** 2 },
    );
    const ranks = await seenRanks();
    const texts = await Promise.all(
        ranks.flatMap(({ node, id }) =>
            ["inspect", "logs"].map(async (verb) => ({
                where: `docker ${verb} on ${node}`,
                text: await onNode(node, `docker ${verb} ${id} 2>&1`),
            })),
        ),
    );
    const { id } = ranks.find(({ node }) => node === worker) ?? { id: "" };
    const pid = await onNode(worker, `docker inspect -f '{{.State.Pid}}' ${id}`);
    return [
        { where: "the state", text: state },
        { where: "what was displayed", text: displayed },
        {
            where: "the worker's environment",
            // A worker that has ended has none.
            text: await onNode(worker, `[ ${pid} = 0 ] || cat /proc/${pid}/environ`),
        },
        {
            where: "the worker's files",
            text: await onNode(worker, `docker cp ${id}:/etc - | grep -aF marker- || true`),
        },
        {
            where: "the nodes' homes",
            text: (await Promise.all(labNodes().map(filesWithKeys))).join(""),
        },
        ...texts,
    ]
        .filter(({ text }) => leaks(text).length > 0)
        .map(({ where }) => where);
}

/** Files of the login user and of passing use that hold a key. */
async function filesWithKeys(name: string): Promise<string> {
    const script =
        'grep -rlF -e "$1" -e "$2" /root /tmp /var/tmp 2>/dev/null | sed "s/$/ holds $1/"';
    const { stdout } = await runScript(nodeOf(name), script, {
        args: [first, second],
        timeoutSeconds: 60,
    });
    return stdout;
}

beforeAll(async () => {
    process.chdir(root);
    folder = mkdtempSync(path.join(tmpdir(), "spark-secrets-"));
    lab = await LabStack.create("lab-secrets");
    await setKey(first);
});

afterAll(async () => {
    await labCommand("fault", "2", "clear");
    await lab.remove();
    await Promise.all(
        labNodes().map((name) => onNode(name, "docker rmi foreign-engine:1 || true")),
    );
    rmSync(folder, { recursive: true });
});

test("the key reaches the head's process and nothing else", async () => {
    expect(await commandLines(() => lab.up())).toEqual([]);
    expect([await status(), await status(first), await status("other")]).toEqual([401, 200, 401]);
    // The look itself can find it.
    expect(
        await onNode(head, "docker exec dsv4-flash-vision-rank0 cat /etc/spark-vllm/api-key"),
    ).toBe(first);
    expect(await traces()).toEqual([]);
});

test("another key: preview shows a replacement of [secret]", async () => {
    await setKey(second);
    let shown = "";
    const lines = await commandLines(async () => {
        await lab.stack.preview({ diff: true, onOutput: (text) => (shown += text) });
    });
    displayed += shown;
    expect(lines).toEqual([]);
    expect(shown).toMatch(/docker:index\/container:Container: \(replace\)/);
    expect(shown).toContain("[secret]");
    expect(leaks(shown)).toEqual([]);
});

test("an up that fails does not tell it either", async () => {
    await labCommand("fault", "2", "exit 3 at load");
    expect(await commandLines(() => lab.failing(() => lab.up()))).toEqual([]);
    expect(displayed).toContain("exited with code 3");
    await labCommand("fault", "2", "clear");
    expect(await traces()).toEqual([]);
});

/** An image that the program does not build, with an entry point of its own, on every node. */
async function foreignImage(): Promise<void> {
    const { image } = await lab.plan();
    await Promise.all(
        labNodes().map((name) =>
            onNode(
                name,
                `docker create --name foreign ${image.tag} && ` +
                    `docker commit --change 'ENTRYPOINT ["/bin/false"]' foreign foreign-engine:1 && docker rm foreign`,
            ),
        ),
    );
}

test("the same holds in an image that we did not build, whatever its entry point", async () => {
    await foreignImage();
    const recipe = path.join(folder, "recipe.toml");
    const text = readFileSync(path.join(root, "recipes/dsv4-flash-vision/recipe.toml"), "utf8");
    writeFileSync(
        recipe,
        text
            .replace(/^docker_image_dir = .*$/m, "")
            .replace(/^docker_image = .*$/m, 'docker_image = "foreign-engine:1"'),
    );
    const { platform } = labConfig()["image"] as { platform: string };
    await lab.configure({ recipe, image: { platform } });
    expect(await commandLines(() => lab.up())).toEqual([]);
    expect([await status(), await status(first), await status(second)]).toEqual([401, 401, 200]);
    expect(await commandLines(() => lab.up({ refresh: true }))).toEqual([]);
    expect(await traces()).toEqual([]);
});

test("spark smoke finds the key on the head", async () => {
    const plan = await lab.plan();
    const lines: string[] = [];
    const say = (node: string, line: string) => lines.push(`${node} ${line}`);
    const apiKey = await headKey(plan);
    expect(apiKey).toBe(second);
    const progress = { seconds: () => 0, say, tick: say, flush: () => undefined };
    const { gates } = await smoke(plan, { apiKey, progress });
    expect(gates.map(({ gate }) => gate)).toEqual(["text", "streaming", "tool-call"]);
    expect(leaks(lines.join("\n"))).toEqual([]);
});
