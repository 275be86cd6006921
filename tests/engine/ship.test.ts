import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { type Received, sendStream } from "../../components/host/sendStream";
import receiveScript from "../../components/host/receive.sh";
import serveScript from "../../components/host/serve.sh";
import { runScript } from "../../components/host";

import { everyLabNode, lab as inLab, labConfig, labNodes, onNode, root, seenRanks } from "./lab";
import { editedRecipe, LabStack } from "./stack";

// One node builds, the other receives over the fabric: what arrives, and what is left when it does not.
jest.setTimeout(180_000);

const [first = "", second = ""] = labNodes();
const third = everyLabNode()[2]?.host ?? "";
interface Fabric {
    readonly fabric: { readonly address: string };
}
const nodes = everyLabNode().map((node) => ({
    name: node.name,
    ssh: { destination: node.host, config: labConfig()["sshConfig"] as string },
    fabric: (node as unknown as Fabric).fabric,
}));
const [sender, receiver] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
const big = "spark-test-big:1";
let lab: LabStack;
let folder: string;
let tag: string;

const idOf = (node: string, image: string) =>
    onNode(node, `docker image inspect -f '{{.Id}}' ${image} 2>/dev/null | grep . || echo none`);

/** What a transfer runs on a node. */
const busy = (node: string) =>
    onNode(node, "ps -e -o args | grep -E '^(perl|sha256sum|docker (save|load))' || :");

/** Starts the step alone, as `up` runs it. */
function shipping(image: string) {
    const step = spawn(process.execPath, ["scripts/host.js", "image-ship"], { cwd: root });
    const input = { tag: image, reference: image, build: null, platform: "linux/amd64" };
    step.stdin.end(JSON.stringify({ nodes, image: { ...input, strategy: "ship" } }));
    let said = "";
    const seen = (text: string) =>
        new Promise<void>((resolve) => {
            step.stderr.on("data", () => {
                if (said.includes(text)) resolve();
            });
        });
    for (const stream of [step.stdout, step.stderr]) {
        stream.on("data", (chunk: Buffer) => (said += String(chunk)));
    }
    const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
        step.on("close", (code) => {
            resolve({ code, said });
        });
    });
    return { step, seen, ended };
}

beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-ship-"));
    lab = await LabStack.create("lab-ships");
    const image = labConfig()["image"] as object;
    await lab.configure({ image: { ...image, strategy: "ship" } });
    tag = (await lab.plan()).image.tag;
    const file = String.raw`FROM spark-lab-engine-base:13\nRUN head -c 400000000 /dev/urandom > /big`;
    await onNode(first, `printf '${file}' | docker build -q -t ${big} - 2>&1`);
});

afterAll(async () => {
    await lab.remove();
    for (const { name: node } of nodes) {
        await onNode(node, `docker image rm -f ${big} >/dev/null 2>&1 || :`);
    }
    rmSync(folder, { recursive: true });
});

test("up: one node builds, the other has that very image", async () => {
    await onNode(second, `docker image rm -f ${tag} dsv4-flash-vision:local >/dev/null 2>&1 || :`);
    const changes = await lab.up();
    expect(changes).toMatchObject({ "spark-1-image": "create", "image-ship": "create" });
    expect(changes).not.toHaveProperty("spark-2-image");
    expect(await idOf(second, tag)).toBe(await idOf(first, tag));
    expect(lab.output).toMatch(/spark-1 {2}sends dsv4-flash-vision:local-\w{12} to spark-2/);
    expect(await lab.up()).toEqual({});
});

test("an image that was removed by hand is sent again before anything stops", async () => {
    await onNode(second, `docker image rm -f ${tag} dsv4-flash-vision:local >/dev/null`);
    await lab.configure({
        recipe: editedRecipe(folder, '"--max-num-seqs", "2"', '"--max-num-seqs", "3"'),
    });
    const preview = await lab.preview();
    expect(await lab.up()).toEqual(preview);
    expect(await idOf(second, tag)).toBe(await idOf(first, tag));
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);
});

test("a full disk is refused before anything is sent", async () => {
    await inLab("fill", "2", "300000000");
    const { code, said } = await shipping(big).ended.finally(() => inLab("empty", "2"));
    expect(code).toBe(1);
    expect(said).toMatch(/spark-2 {2}\/var\/lib\/docker has 0\.\d GiB free/);
    expect(said).not.toContain("sends spark-test-big");
});

test("a transfer that broke off leaves nothing running, and the next one mends it", async () => {
    const broken = shipping(big);
    await broken.seen("MB sent");
    await onNode(second, "pkill -x docker -f -- 'docker load' || pkill -f 'docker load --quiet'");
    const { code, said } = await broken.ended;
    expect(code).toBe(1);
    expect(said).toContain("sends spark-test-big:1 to spark-2, spark-3 over");
    expect(said).toMatch(
        /spark-2 {2}the image of spark-1 did not arrive whole: (Terminated|docker)/,
    );
    expect(said).not.toContain("spark-3  the image of spark-1 did not");
    expect(said).toContain("the next `pulumi up` sends what is missing");
    expect(await busy(first)).toBe("");
    expect(await idOf(second, big)).toBe("none");
    expect(await idOf(third, big)).toBe(await idOf(first, big));

    const killed = shipping(big);
    await killed.seen("MB sent");
    killed.step.kill("SIGKILL");
    expect((await killed.ended).said).toContain("sends spark-test-big:1 to spark-2 over");
    for (const node of [first, second]) {
        while ((await busy(node)) !== "");
    }
    expect(await idOf(second, big)).toBe("none");

    expect((await shipping(big).ended).code).toBe(0);
    expect(await idOf(second, big)).toBe(await idOf(first, big));
    expect((await shipping(big).ended).said).toBe('{"sent":[]}\n');
});

/** Sends without an end into nothing. */
const endless = (more: object = {}): Promise<readonly Received[]> =>
    sendStream({
        sender,
        address: sender.fabric.address,
        receivers: [receiver],
        send: ["yes"],
        receive: ["sh", "-c", "cat >/dev/null"],
        timeoutSeconds: 60,
        stallSeconds: 3,
        joinSeconds: 3,
        ...more,
    });

test("a fabric that is cut is noticed, before and while something is sent", async () => {
    process.chdir(root);
    let cut: Promise<string> | undefined;
    const onSent = (bytes: number) => {
        if (bytes > 1e6) cut ??= inLab("cut", "2");
    };
    const [during] = await endless({ onSent });
    await cut;
    const [before] = await endless().finally(() => inLab("heal", "2"));
    expect(during).toMatchObject({ joined: true, error: "it took nothing for 3 s" });
    expect(before).toMatchObject({ joined: false });
    expect([await busy(first), await busy(second)]).toEqual(["", ""]);
});

test("a stream that is not what was sent is refused, and no image comes of it", async () => {
    const changed = "spark-test-changed:1";
    const file = String.raw`FROM spark-lab-engine-base:13\nLABEL a=b`;
    await onNode(first, `printf '${file}' | docker build -q -t ${changed} - 2>&1`);
    // A sender that tells the checksum of something else.
    const script = `perl -MIO::Socket::INET -e '$| = 1;
        my $server = IO::Socket::INET->new(LocalAddr => $ARGV[0], Listen => 1);
        print $server->sockport, "\\n"; my $peer = $server->accept; <$peer>;
        open my $from, "-|", "docker save ${changed}"; $/ = \\65536;
        print $peer $_ while <$from>; print $peer "0" x 64' "$1"`;
    let end: Promise<{ code: number; stderr: string }> | undefined;
    await runScript(sender, script, {
        args: [sender.fabric.address],
        timeoutSeconds: 30,
        onLine: (port) => {
            const args = [sender.fabric.address, port, second, "docker", "load"];
            end ??= runScript(receiver, receiveScript, { args, input: "\n", timeoutSeconds: 30 });
        },
    });
    const { code, stderr } = (await end) ?? {};
    expect([code, stderr?.replace(/\d{4,} bytes|[1-9a-f][0-9a-f]{63}/g, "…")]).toEqual([
        65,
        `the stream was refused after …: its sha256 is …, sent was ${"0".repeat(64)}\n`,
    ]);
    expect(await idOf(second, changed)).toBe("none");
    await onNode(first, `docker image rm ${changed}`);
});

test("who does not know the token gets nothing, and keeps nobody out", async () => {
    const { address } = sender.fabric;
    const ask = (port: string, word: string) =>
        onNode(
            second,
            `bash -c 'exec 3<>/dev/tcp/${address}/${port}; echo ${word} a >&3; cat <&3'`,
        );
    const got: Promise<string>[] = [];
    await runScript(sender, serveScript, {
        args: [address, "1", "20", "5", "echo", "content"],
        input: "token\n",
        timeoutSeconds: 30,
        onLine: (line) => {
            const [word, port = ""] = line.split(" ");
            if (word !== "listening") return;
            const wrong = ask(port, "tokem");
            got.push(
                wrong,
                wrong.then(() => ask(port, "token")),
            );
        },
    });
    const sum = createHash("sha256").update("content\n").digest("hex");
    expect(await Promise.all(got)).toEqual(["", `content\n${sum}`]);
    const listening = `ss -tlnH | grep '${address}:' || :`;
    expect(await onNode(first, listening)).toBe("");
});
