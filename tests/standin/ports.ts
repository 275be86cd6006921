import * as net from "node:net";

/** Below the ports that the kernel gives to callers: one of those may be taken before the rank listens. */
let lastPort = 10_000 + (process.pid % 500) * 40;

/** A port of loopback that nobody listens on, another one at each call. */
export async function freePort(): Promise<number> {
    for (;;) {
        const port = ++lastPort;
        if (await canListen(port)) return port;
    }
}

function canListen(port: number): Promise<boolean> {
    return new Promise((resolve) => {
        const server = net.createServer();
        server.on("error", () => {
            resolve(false);
        });
        server.listen(port, "127.0.0.1", () => {
            server.close(() => {
                resolve(true);
            });
        });
    });
}
