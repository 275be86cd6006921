import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { connect, runScript, sshArguments } from "../../../components/host/ssh";
import type { SshNode } from "../../../components/host/sshArguments";
import { closeShared, type TestSshd, testSshd } from "./testSshd";

// Every ssh is a process or two; a busy machine takes its time.
jest.setTimeout(60_000);

const servers: TestSshd[] = [];
async function server(settings: readonly string[] = []): Promise<TestSshd> {
    const sshd = await testSshd(settings);
    servers.push(sshd);
    return sshd;
}
afterEach(() => {
    for (const sshd of servers.splice(0)) sshd.close();
});

/** The one issue of a call that must fail. */
async function issueOf(call: Promise<unknown>): Promise<Record<string, string>> {
    const error = (await call.then(
        () => {
            throw new Error("it worked");
        },
        (reason: unknown) => reason,
    )) as { issues?: Record<string, string>[] };
    expect(error.issues).toHaveLength(1);
    return error.issues?.[0] ?? {};
}

function edit(file: string, change: (text: string) => string): void {
    fs.writeFileSync(file, change(fs.readFileSync(file, "utf8")));
}

test("a node whose sshd comes a little later is waited for, and said so once", async () => {
    const sshd = await server();
    sshd.stop();
    setTimeout(() => void sshd.start(), 2500);
    const said: string[] = [];
    const { stdout } = await runScript(sshd.node, "echo here", {
        onRetry: (why) => said.push(why),
    });
    expect([stdout, said]).toEqual(["here\n", ["spark-1: test-node refused the connection"]]);
});

test("a refused connection is an issue of its node once patience ends", async () => {
    const sshd = await server();
    sshd.stop();
    const issue = await issueOf(connect(sshd.node, { patienceSeconds: 1 }));
    expect(issue).toMatchObject({
        code: "unreachable",
        file: "spark-1",
        problem: "test-node refused the connection",
    });
});

test("a name that does not resolve is told at once", async () => {
    const node: SshNode = { name: "spark-2", ssh: { destination: "nobody@no-such-host.invalid" } };
    const issue = await issueOf(connect(node, { patienceSeconds: 0 }));
    expect(issue).toMatchObject({
        code: "unreachable",
        file: "spark-2",
        problem: "the name in nobody@no-such-host.invalid does not resolve",
    });
});

test("an unknown host key is refused, its fingerprint shown", async () => {
    const sshd = await server();
    fs.writeFileSync(path.join(sshd.folder, "known_hosts"), "");
    const issue = await issueOf(connect(sshd.node));
    expect(issue).toMatchObject({ code: "host-key", file: "spark-1" });
    expect(issue["problem"]).toMatch(
        /^the host key of test-node is not known: it offers SHA256:[A-Za-z0-9+/]{43}$/,
    );
});

test("a changed host key is refused with both sides named", async () => {
    const [sshd, other] = [await server(), await server()];
    const known = path.join(sshd.folder, "known_hosts");
    const address = `[127.0.0.1]:${String(sshd.port)}`;
    fs.writeFileSync(known, `${address} ${other.hostKey}\n`);
    const issue = await issueOf(connect(sshd.node));
    expect(issue["code"]).toBe("host-key");
    expect(issue["problem"]).toMatch(/^test-node shows another host key: it offers SHA256:\S{43}$/);
    expect(issue["expected"]).toBe(`the key in ${known}:1`);
});

test("a pinned key needs no known_hosts entry, and another key is refused even with one", async () => {
    const [sshd, other] = [await server(), await server()];
    const known = path.join(sshd.folder, "known_hosts");
    const kept = fs.readFileSync(known, "utf8");
    fs.writeFileSync(known, "");
    const pinned = { ...sshd.node, ssh: { ...sshd.node.ssh, hostKey: sshd.hostKey } };
    const { stdout } = await runScript(pinned, "echo pinned");
    expect(stdout).toBe("pinned\n");
    closeShared(pinned);

    fs.writeFileSync(known, kept);
    await connect(sshd.node);
    const wrong = { ...sshd.node, ssh: { ...sshd.node.ssh, hostKey: other.hostKey } };
    const issue = await issueOf(connect(wrong));
    expect(issue["code"]).toBe("host-key");
    expect(issue["expected"]).toMatch(/^hostKey of spark-1 in the configuration, SHA256:\S{43}$/);
});

test("a key that the node does not accept", async () => {
    const sshd = await server();
    fs.rmSync(path.join(sshd.folder, "user.pub"));
    fs.writeFileSync(path.join(sshd.folder, "user.pub"), "");
    const issue = await issueOf(connect(sshd.node));
    expect(issue["problem"]).toMatch(
        /^test-node refused the login \(.*Permission denied \(publickey/,
    );
});

test("a login shell that prints lines does no harm", async () => {
    const sshd = await server([
        'ForceCommand echo "Welcome!"; echo hm >&2; eval "$SSH_ORIGINAL_COMMAND"',
    ]);
    const result = await runScript(sshd.node, "echo ours; exit 3");
    expect(result).toEqual({ code: 3, stdout: "ours\n", stderr: "" });
});

test("a login shell that runs nothing is named as the cause", async () => {
    const sshd = await server([
        'ForceCommand echo "This account is currently not available."; exit 1',
    ]);
    const issue = await issueOf(runScript(sshd.node, "echo ours"));
    expect(issue["problem"]).toBe(
        'the login shell of test-node did not run our command: it said "This account is currently not available."',
    );
});

test("a server that accepts and never speaks is given up in time", async () => {
    const silent = net.createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const sshd = await server();
    const { port } = silent.address() as net.AddressInfo;
    edit(path.join(sshd.folder, "config"), (text) =>
        text.replace(/^Port .*$/m, `Port ${String(port)}`),
    );
    const started = Date.now();
    const issue = await issueOf(connect(sshd.node, { patienceSeconds: 0 }));
    silent.close();
    expect(issue["problem"]).toMatch(/^test-node does not answer/);
    expect(Date.now() - started).toBeLessThan(25_000);
});

test("a shared connection that died does not break the next call", async () => {
    const sshd = await server();
    await runScript(sshd.node, "true");
    // Every connection of this server ends without a word, the socket of the shared one included.
    fs.readdirSync("/proc")
        .filter((pid) => /^\d+$/.test(pid))
        .filter((pid) => sharedMaster(pid, sshd.folder))
        .forEach((pid) => process.kill(Number(pid), "SIGKILL"));
    await pause(100);
    const { stdout } = await runScript(sshd.node, "echo again");
    expect(stdout).toBe("again\n");
});

function sharedMaster(pid: string, folder: string): boolean {
    try {
        const words = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return words.includes(folder) && words.startsWith("ssh:");
    } catch {
        return false;
    }
}

test("the words for ssh hold no path of this machine", () => {
    const ssh = {
        destination: "me@spark-1",
        port: 2201,
        config: ".lab/ssh_config",
        hostKey: "ssh-ed25519 AAAA",
    };
    const words = sshArguments(ssh).join(" ");
    expect(words.startsWith("-F .lab/ssh_config -p 2201 -o BatchMode=yes")).toBe(true);
    expect(words.match(/(?<=[ =])\/\S+/g)).toEqual(["/dev/null"]);
    expect(words).not.toContain("me@spark-1");
});
