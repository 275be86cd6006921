import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

import { sshArguments, type SshNode } from "../../../components/host/sshArguments";

export interface TestSshd {
    readonly folder: string;
    readonly port: number;
    /** Public key words of the server. */
    readonly hostKey: string;
    readonly node: SshNode;
    readonly start: () => Promise<void>;
    readonly stop: () => void;
    /** Stops the server, closes the shared connection, removes the files. */
    readonly close: () => void;
}

/** A real sshd on loopback with keys of its own; `settings` are lines of sshd_config. */
export async function testSshd(settings: readonly string[] = []): Promise<TestSshd> {
    // sshd of root drops its privileges into this empty folder.
    if (process.getuid?.() === 0) fs.mkdirSync("/run/sshd", { recursive: true });
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "spark-sshd-"));
    const file = (name: string) => path.join(folder, name);
    for (const key of ["host", "user"]) {
        execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file(key)]);
    }
    const port = await freePort();
    const hostKey = fs.readFileSync(file("host.pub"), "utf8").trim();
    fs.writeFileSync(file("known_hosts"), `[127.0.0.1]:${String(port)} ${hostKey}\n`);
    fs.writeFileSync(file("sshd_config"), sshdConfig(folder, port, settings));
    fs.writeFileSync(file("config"), sshConfig(folder, port));
    const node = { name: "spark-1", ssh: { destination: "test-node", config: file("config") } };
    let server: ChildProcess | undefined;
    const stop = () => {
        server?.kill();
        server = undefined;
    };
    const start = async () => {
        const words = ["-D", "-e", "-f", file("sshd_config")];
        server = spawn("/usr/sbin/sshd", words, { stdio: ["ignore", "ignore", "ignore"] });
        await untilOpen(port);
    };
    await start();
    const close = () => {
        stop();
        closeShared(node);
        fs.rmSync(folder, { recursive: true, force: true });
    };
    return { folder, port, hostKey, node, start, stop, close };
}

/** Ends the shared connection to a node, if any. */
export function closeShared(node: SshNode): void {
    try {
        const words = [...sshArguments(node.ssh), "-O", "exit", node.ssh.destination];
        execFileSync("ssh", words, { stdio: "ignore" });
    } catch {
        // There was none.
    }
}

function sshdConfig(folder: string, port: number, settings: readonly string[]): string {
    return [
        `Port ${String(port)}`,
        "ListenAddress 127.0.0.1",
        `HostKey ${folder}/host`,
        `AuthorizedKeysFile ${folder}/user.pub`,
        `PidFile ${folder}/sshd.pid`,
        "UsePAM no",
        "StrictModes no",
        "PermitRootLogin yes",
        "PasswordAuthentication no",
        "UseDNS no",
        ...settings,
        "",
    ].join("\n");
}

function sshConfig(folder: string, port: number): string {
    return [
        "Host test-node",
        "HostName 127.0.0.1",
        `Port ${String(port)}`,
        `User ${os.userInfo().username}`,
        `IdentityFile ${folder}/user`,
        "IdentitiesOnly yes",
        "IdentityAgent none",
        `UserKnownHostsFile ${folder}/known_hosts`,
        "",
    ].join("\n");
}

export function freePort(): Promise<number> {
    return new Promise((resolve) => {
        const server = net.createServer().listen(0, "127.0.0.1", () => {
            const { port } = server.address() as net.AddressInfo;
            server.close(() => {
                resolve(port);
            });
        });
    });
}

async function untilOpen(port: number): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
        const open = await new Promise<boolean>((resolve) => {
            const socket = net.connect(port, "127.0.0.1");
            socket.once("data", () => {
                socket.destroy();
                resolve(true);
            });
            socket.once("error", () => {
                resolve(false);
            });
        });
        if (open) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`sshd does not listen on ${String(port)}`);
}
