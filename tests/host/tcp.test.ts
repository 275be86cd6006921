import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { setTimeout as after } from "node:timers/promises";

import tcpScript from "../../components/host/tcp.sh";

/** A port that is free now. */
async function freePort(): Promise<number> {
    const server = net.createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    server.close();
    await once(server, "close");
    return port;
}

async function comes(from: string, port: number): Promise<string> {
    const socket = net.connect({ host: "127.0.0.1", port, localAddress: from });
    return new Promise((resolve) => {
        socket.once("connect", () => {
            socket.destroy();
            resolve("open");
        });
        socket.once("error", (error: NodeJS.ErrnoException) => {
            resolve(error.code ?? "");
        });
    });
}

test("a node that comes twice does not stand for one that has not come yet", async () => {
    const port = await freePort();
    const given = ["seconds=20", "from=127.0.0.1", "guests=2", `listen=127.0.0.1:${String(port)}`];
    const listener = spawn("sh", ["-c", tcpScript, "sh", ...given]);
    const ended = once(listener, "close");
    while ((await comes("127.0.0.2", port)) !== "open") await after(20);
    expect(await comes("127.0.0.2", port)).toBe("open");
    await after(200);
    expect(await comes("127.0.0.3", port)).toBe("open");
    expect(await ended).toEqual([0, null]);
    expect(await comes("127.0.0.3", port)).toBe("ECONNREFUSED");
}, 40_000);
