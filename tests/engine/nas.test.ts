import { spawn } from "node:child_process";

import { completion, lab, labNodes, onNode, root, seenRanks } from "./lab";
import { doctor, nodesWith, StackFile } from "./nodeFaults";
import { LabStack } from "./stack";

// A share that the program mounts (nas.manage). The first node's is mounted already, by someone else: used, and never
// touched. Each test stands on the one before it.
jest.setTimeout(180_000);

const [one = "", two = ""] = labNodes();
const at = "/mnt/nas/ai/huggingface";
let stack: LabStack;
let source: string;
let before: string;

const manage = (more = "") => {
    const ssh = "IdentityFile=/run/nas_key,StrictHostKeyChecking=accept-new,ConnectTimeout=3";
    const options = `${ssh},UserKnownHostsFile=/run/nas_known,allow_other,no_contain_symlinks${more}`;
    return { fsTypes: ["fuse.sshfs"], manage: { source, type: "fuse.sshfs", options } };
};
const mounted = (node: string) =>
    onNode(node, `findmnt -rno SOURCE,FSTYPE ${at} || echo no; ls -A ${at} | wc -l`);
const unmount = `umount -l ${at}; rmdir ${at} /mnt/nas/ai /mnt/nas; true`;
/** All that the mount could leave behind. */
const traces = () =>
    onNode(
        two,
        "cat /etc/fstab; ls /etc/fstab*; ls -A /mnt; ls -A /etc/systemd/system; grep -v /run/docker/ /proc/mounts",
    );
const fingerprint = async () => (await seenRanks()).map(({ id, startedAt }) => [id, startedAt]);

beforeAll(async () => {
    source = await onNode(one, `findmnt -rno SOURCE ${at}`);
    await onNode(two, `${unmount}; echo '# kept' >>/etc/fstab`);
    before = await traces();
    stack = await LabStack.create("lab-nas");
    await stack.configure({ nas: manage() });
});

afterAll(async () => {
    await stack.remove();
    await onNode(two, "sed -i '/^# kept$/d' /etc/fstab");
    await lab("mount", "2");
});

test("up mounts the share where it is missing, and a second up changes nothing", async () => {
    const preview = await stack.preview();
    expect(preview).toMatchObject({ "spark-1-nas": "create", "spark-2-nas": "create" });
    expect(await mounted(two)).toBe("no\n0");
    expect(await stack.up()).toEqual(preview);
    expect(stack.output).toContain(`${one}  ${source} was mounted by someone else: used as it is`);
    expect(stack.output).toContain(`${two}  ${source} mounted at ${at}`);
    expect(await mounted(two)).toBe(await mounted(one));
    expect(await onNode(one, "cat /etc/fstab")).not.toContain("spark-vllm");
    expect((await completion()).status).toBe(200);
    const fstab = await onNode(two, "cat /etc/fstab");
    expect(await stack.up()).toEqual({});
    expect(await onNode(two, "cat /etc/fstab")).toBe(fstab);
    expect(fstab.match(/spark-vllm/g)).toHaveLength(1);
});

test("other options while ranks use the share: refused, and nothing is touched", async () => {
    const running = await fingerprint();
    await stack.configure({ nas: manage(",max_read=65536") });
    const refusal = await stack.failing(() => stack.up());
    expect(refusal).toContain(
        `spark-2  nas-manage: nas.manage has changed, and the share at ${at} is used by dsv4-flash-vision-rank1`,
    );
    expect(refusal).not.toContain("spark-1  nas-manage");
    expect(await fingerprint()).toEqual(running);
    await stack.configure({ nas: manage() });
    await stack.up();
    expect(await fingerprint()).toEqual(running);
});

test("a share that a restart took away is mounted by the revival", async () => {
    await onNode(two, `docker kill dsv4-flash-vision-rank1; umount -l ${at}`);
    await stack.up({ refresh: true });
    expect(stack.output).toContain(`spark-2: mounted ${source} at ${at}`);
    expect((await completion()).status).toBe(200);
});

test("destroy takes away what it made and nothing else", async () => {
    await stack.destroy();
    expect(await traces()).toBe(before);
    expect(await mounted(one)).toMatch(`${source} fuse.sshfs\n`);
});

test("without root and sudo it is refused before anything happens, with the lines to run", async () => {
    const file = new StackFile("lab-nas-plain");
    const user = "docked";
    const add = `useradd -m -p '*' -s /bin/bash -G docker ${user}; install -d -o ${user} -m 700 /home/${user}/.ssh; install -o ${user} -m 600 /root/.ssh/authorized_keys /home/${user}/.ssh/`;
    await onNode(two, add);
    try {
        const host = { host: `${user}@${two}`, home: `/home/${user}` };
        file.write({ nas: manage(), nodes: nodesWith(host) });
        const { errors, issues } = await doctor(file.stack);
        expect(errors).toEqual([`${two} nas nas-manage`]);
        const issue = issues.find(({ severity }) => severity === "error");
        expect(issue?.message).toContain(`${user} may not mount: not root, and sudo`);
        expect(issue?.fix).toContain(`sudo mount -t fuse.sshfs -o IdentityFile=/run/nas_key`);
        expect(issue?.fix).toContain(`echo '${user} ALL=(root) NOPASSWD: ALL' | sudo tee`);
        expect(await traces()).toBe(before);
    } finally {
        file.remove();
        await onNode(two, `userdel -rf ${user} 2>/dev/null; true`);
    }
});

/** Runs a step of the program as the engine does, without the engine. */
async function step(name: "nas" | "nas-undo", input: object): Promise<string> {
    const child = spawn(process.execPath, ["scripts/host.js", name], { cwd: root });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stdin.end(JSON.stringify(input));
    const code = await new Promise((resolve) => child.once("close", resolve));
    return `${String(code)} ${output}`;
}

/** Does what systemd would with a mount unit; the simulated nodes have none. */
const systemctl = `#!/bin/sh
echo "$*" >>/run/systemctl.log
for last; do :; done
unit=/etc/systemd/system/$last
get() { sed -n "s/^$1=//p" "$unit" | sed 's/%%/%/g'; }
case " $* " in
*" start "*) mkdir -p "$(get Where)"; mount -t "$(get Type)" -o "$(get Options)" "$(get What)" "$(get Where)" ;;
esac
`;

test("with systemd it is a mount unit: made, kept, changed when free, left to another node, undone", async () => {
    const standIns = [
        "mkdir -p /run/systemd/system",
        `cat >/usr/local/bin/systemctl <<'END'\n${systemctl}END`,
        "printf '#!/bin/sh\\necho mnt-nas-ai-huggingface.mount\\n' >/usr/local/bin/systemd-escape",
        "chmod +x /usr/local/bin/systemctl /usr/local/bin/systemd-escape",
    ].join("\n");
    const { nodes } = await stack.plan();
    const ssh = nodes[1]?.ssh;
    const groupId = "0123456789abcdef";
    const input = (options: string, name = "spark-2") => ({
        node: { name, ssh },
        mount: { path: at, source: "none", type: "tmpfs", options },
        groupId,
    });
    await onNode(two, standIns);
    try {
        expect(await step("nas", input("size=1m"))).toContain(`none mounted at ${at}`);
        const unit = "cat /etc/systemd/system/mnt-nas-ai-huggingface.mount";
        expect((await onNode(two, unit)).split("\n")).toEqual(
            expect.arrayContaining([
                `# spark-vllm ${groupId} spark-2=${ssh?.destination ?? ""}: made=/mnt/nas`,
                "What=none",
                `Where=${at}`,
                "Type=tmpfs",
                "Options=_netdev,size=1m",
                "WantedBy=remote-fs.target",
            ]),
        );
        expect(await step("nas", input("size=1m"))).toContain("is mounted as it is to be");
        expect(await step("nas", input("size=2m,mode=0750"))).toContain(`none mounted at ${at}`);
        expect(await onNode(two, `findmnt -rno SIZE ${at}`)).toBe("2M");
        await step("nas", input("size=2m,mode=0750", "spark-9"));
        await step("nas-undo", input("size=2m,mode=0750"));
        expect(await onNode(two, `findmnt -rno SIZE ${at}`)).toBe("2M");
        await step("nas-undo", input("size=2m,mode=0750", "spark-9"));
        expect(await onNode(two, "grep -c start /run/systemctl.log")).toBe("2");
    } finally {
        await onNode(
            two,
            "rm -rf /run/systemd/system /usr/local/bin/systemctl /usr/local/bin/systemd-escape /run/systemctl.log",
        );
    }
    expect(await traces()).toBe(before);
});
