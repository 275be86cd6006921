import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { offerImage } from "../../components/host/ship/offerImage";
import { shipImage } from "../../components/host/ship/shipImage";

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
const more = "spark-test-more:1";
const back = "spark-test-back:1";
const changed = "spark-test-changed:1";
let lab: LabStack;
let folder: string;
let tag: string;

const idOf = (node: string, image: string) =>
    onNode(node, `docker image inspect -f '{{.Id}}' ${image} 2>/dev/null | grep . || echo none`);

/** What a transfer runs on a node. */
const busy = (node: string) =>
    onNode(
        node,
        "docker ps -aq --filter label=spark-vllm.step=image-ship; ps -e -o args | grep -E '^(perl|docker (run|pull))' || :",
    );

/** Starts the step alone, as `up` runs it. */
function shipping(image: string, among = nodes) {
    const step = spawn(process.execPath, ["scripts/host.js", "image-ship"], { cwd: root });
    const input = { tag: image, reference: image, build: null, platform: "linux/amd64" };
    step.stdin.end(
        JSON.stringify({ nodes: among, image: { ...input, strategy: "ship" }, owner: "test" }),
    );
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
        await onNode(
            node,
            `docker image rm -f ${big} ${more} ${back} ${changed} >/dev/null 2>&1 || :`,
        );
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
    await broken.seen("MB came");
    await onNode(second, "pkill -f '^docker pull 127'");
    const { code, said } = await broken.ended;
    expect(code).toBe(1);
    expect(said).toContain("sends spark-test-big:1 to spark-2, spark-3 over");
    expect(said).toMatch(/spark-2 {2}the image of spark-1 did not arrive whole: code 143/);
    expect(said).not.toContain("spark-3  the image of spark-1 did not");
    expect(said).toContain("the next `pulumi up` sends what is missing");
    expect(await busy(first)).toBe("");
    expect(await idOf(second, big)).toBe("none");
    expect(await idOf(third, big)).toBe(await idOf(first, big));

    const killed = shipping(big);
    await killed.seen("MB came");
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

/** Sends the big image to the second node, with the step's limits made short. */
const shipped = async (onSent?: (bytes: number) => void) => {
    process.chdir(root);
    const id = await idOf(first, big);
    const [taken] = await shipImage({
        ...{ sender, address: sender.fabric.address, image: { tag: big, id }, owner: "test" },
        ...{ receivers: [receiver], timeoutSeconds: 60, stallSeconds: 3 },
        onSent: (_, bytes) => onSent?.(bytes),
        signal: new AbortController().signal,
    });
    return taken;
};

test("a fabric that is cut is noticed, before and while something is sent", async () => {
    await onNode(second, `docker image rm ${big} >/dev/null`);
    // Slow enough to be cut in the middle.
    const device = `dev $(ip -o addr | awk '/ ${sender.fabric.address.replaceAll(".", "\\.")}\\// { print $2 }') root`;
    await onNode(first, `tc qdisc add ${device} tbf rate 400mbit burst 1mb latency 50ms`);
    let cut: Promise<string> | undefined;
    const during = await shipped((bytes) => {
        if (bytes > 1e6) cut ??= inLab("cut", "2");
    });
    await cut;
    await onNode(first, `tc qdisc del ${device}`);
    const before = await shipped().finally(() => inLab("heal", "2"));
    expect(during).toMatchObject({ reached: false, error: "it took nothing for 3 s" });
    expect(before).toMatchObject({ reached: false });
    expect(before?.error).toMatch(/^cannot reach 10\.\S+: /);
    expect([await busy(first), await busy(second)]).toEqual(["", ""]);
    expect(await idOf(second, big)).toBe("none");
});

test("only what a node has not yet had is sent", async () => {
    expect((await shipping(big).ended).code).toBe(0);
    const file = String.raw`FROM ${big}\nRUN echo more > /more`;
    await onNode(first, `printf '${file}' | docker build -q -t ${more} - 2>&1`);
    const { code, said } = await shipping(more).ended;
    expect(code).toBe(0);
    expect(Number(/"bytes":(\d+)/.exec(said)?.[1])).toBeLessThan(1e5);
    expect(await idOf(second, more)).toBe(await idOf(first, more));
    const left = "docker image ls --format '{{.Repository}}' | grep spark-vllm-ship || :";
    expect(await onNode(second, left)).toBe("");
});

test("containerd's image store takes an image and gives one", async () => {
    const daemon = (settings: string, driver: string) =>
        onNode(
            third,
            `mkdir -p /etc/docker && echo '${settings}' >/etc/docker/daemon.json && pkill -x dockerd
            until docker info -f '{{.Driver}}' 2>&1 | grep -qx ${driver}; do sleep 0.2; done`,
        );
    const layersOf = (node: string, image: string) =>
        onNode(node, `docker image inspect -f '{{json .RootFS.Layers}}' ${image}`);
    await daemon('{"features":{"containerd-snapshotter":true}}', "overlayfs");
    try {
        expect((await shipping(more).ended).code).toBe(0);
        expect(await layersOf(third, more)).toBe(await layersOf(first, more));

        const file = String.raw`FROM ${more}\nRUN echo back > /back`;
        await onNode(third, `printf '${file}' | docker build -q -t ${back} - 2>&1`);
        const others = nodes.filter((node) => node.ssh.destination !== third);
        const from = nodes.filter((node) => node.ssh.destination === third);
        expect((await shipping(back, [...from, ...others]).ended).code).toBe(0);
        expect(await layersOf(second, back)).toBe(await layersOf(third, back));
    } finally {
        await onNode(third, `docker image rm -f ${more} ${back} >/dev/null 2>&1 || :`);
        await daemon("{}", "overlay2");
    }
});

test("what is not what it should be is refused, and no image comes of it", async () => {
    const file = String.raw`FROM spark-lab-engine-base:13\nRUN head -c 300000 /dev/urandom > /content`;
    await onNode(first, `printf '${file}' | docker build -q -t ${changed} - 2>&1`);
    const folder = `docker image inspect -f '{{.GraphDriver.Data.UpperDir}}' ${changed}`;
    await onNode(
        first,
        `f=$(${folder})/content && printf 12345678 | dd of=$f seek=9 conv=notrunc 2>&1`,
    );
    const { code, said } = await shipping(changed).ended;
    expect(code).toBe(1);
    expect(said).toMatch(
        /spark-2 {2}the image of spark-1 did not arrive whole: filesystem layer verification failed/,
    );
    expect(await idOf(second, changed)).toBe("none");
});

test("a file that the sender cannot read: which, and whose", async () => {
    const file = String.raw`FROM spark-lab-engine-base:13\nRUN head -c 400000 /dev/urandom > /lacking`;
    await onNode(first, `printf '${file}' | docker build -q -t ${changed} - 2>&1`);
    const upper = `docker image inspect -f '{{.GraphDriver.Data.UpperDir}}' ${changed}`;
    await onNode(first, `rm "$(${upper})/lacking"`);
    const { code, said } = await shipping(changed).ended;
    expect(code).toBe(1);
    expect(said).toMatch(
        /spark-2 {2}the image of spark-1 did not arrive whole: spark-1 cannot read overlay2\/\w+\/diff\/lacking in Docker's folder: No such file/,
    );
    expect(said).toContain(`\`docker image rm ${changed}\` on spark-1`);
    expect([await busy(first), await busy(second)]).toEqual(["", ""]);
    expect(await idOf(second, changed)).toBe("none");
});

test("an image that cannot be offered: why, and nothing was sent", async () => {
    const file = String.raw`FROM spark-lab-engine-base:13\nRUN rm -f /usr/bin/python*`;
    await onNode(first, `printf '${file}' | docker build -q -t ${changed} - 2>&1`);
    const { code, said } = await shipping(changed).ended;
    expect(code).toBe(1);
    expect(said).toContain(`spark-1  ${changed} has no Python, which hands it to the other nodes`);
    expect(said).toContain("Nothing was sent, and nothing that serves was stopped.");

    // As it looks where Docker's folder holds images in a way that we do not know.
    const unknown = offerImage({
        ...{ sender, address: sender.fabric.address, owner: "test", tokens: {}, stallSeconds: 5 },
        image: { tag: more, id: `sha256:${"0".repeat(64)}` },
        ...{ onSent: () => undefined, onLost: () => undefined },
        signal: new AbortController().signal,
    });
    await expect(unknown).rejects.toThrow("Docker keeps its images in another way");
    expect(await busy(first)).toBe("");
});

test("who does not know the token gets nothing, and only the fabric is listened on", async () => {
    const over = new AbortController();
    const { address } = sender.fabric;
    const offer = await offerImage({
        ...{ sender, address, image: { tag: more, id: await idOf(first, more) }, owner: "test" },
        ...{ tokens: { secret: receiver.name }, stallSeconds: 5 },
        ...{ onSent: () => undefined, onLost: () => undefined, signal: over.signal },
    });
    const ask = (token: string) =>
        onNode(
            second,
            `bash -c 'exec 3<>/dev/tcp/${address}/${String(offer.port)}; printf "GET /v2/spark-vllm-ship/${token}/manifests/${offer.digest} HTTP/1.0\r\n\r\n" >&3; head -1 <&3'`,
        );
    expect(await ask("secreT")).toMatch(/^HTTP\/1.1 404/);
    expect(await ask("secret")).toMatch(/^HTTP\/1.1 200/);
    const listening = `ss -tlnH | awk '$4 ~ /:${String(offer.port)}$/ { print $4 }'`;
    expect(await onNode(first, listening)).toBe(`${address}:${String(offer.port)}`);
    over.abort();
    await offer.ended;
    expect(await onNode(first, listening)).toBe("");
    expect(await busy(first)).toBe("");
});
