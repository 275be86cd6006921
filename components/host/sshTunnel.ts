import { spawn } from "node:child_process";
import { Duplex } from "node:stream";

import { sshArguments, type SshNode } from "./sshArguments";

export interface TunnelTarget {
    /** As the node sees it, e.g. `127.0.0.1`. */
    readonly host: string;
    readonly port: number;
}

/** A byte stream to an address as seen from the node (`ssh -W`); ends in an error with ssh's words when refused. */
export function sshTunnel(node: SshNode, target: TunnelTarget): Duplex {
    const host = target.host.includes(":") ? `[${target.host}]` : target.host;
    const to = `${host}:${String(target.port)}`;
    const child = spawn("ssh", ["-W", to, ...sshArguments(node.ssh), node.ssh.destination]);
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
    });
    child.stdin.on("error", () => undefined);
    const tunnel = new Duplex({
        read() {
            child.stdout.resume();
        },
        write(chunk: Buffer, _encoding, done) {
            if (child.stdin.write(chunk)) done();
            else child.stdin.once("drain", done);
        },
        final(done) {
            child.stdin.end(done);
        },
        destroy(error, done) {
            child.kill("SIGKILL");
            done(error);
        },
    });
    child.stdout.on("data", (chunk: Buffer) => {
        if (!tunnel.push(chunk)) child.stdout.pause();
    });
    child.once("error", (error) => tunnel.destroy(error));
    child.once("close", (code) => {
        if (code === 0) tunnel.push(null);
        else tunnel.destroy(new Error(`${node.name}, ${to}: ${refusal(said)}`));
    });
    return tunnel;
}

/** Over the shared connection ssh does not say why; without one it does (`open failed: connect failed: …`). */
function refusal(said: string): string {
    if (/Session open refused|connect failed/.test(said)) {
        return "nothing listens there (or the node's sshd forbids forwarding)";
    }
    return said.trim() || "the connection was closed";
}
