import http from "node:http";
import type { AddressInfo } from "node:net";

import { httpOverSsh } from "../../../components/host/ssh";
import { freePort, type TestSshd, testSshd } from "./testSshd";

// Every ssh is a process or two; a busy machine takes its time.
jest.setTimeout(60_000);

let sshd: TestSshd;
let api: http.Server;
let port: number;
beforeAll(async () => {
    sshd = await testSshd();
    api = http.createServer((request, response) => {
        if (request.url === "/hang") return;
        let body = "";
        request.on("data", (chunk: Buffer) => (body += chunk.toString()));
        request.on("end", () => {
            response.writeHead(request.method === "POST" ? 201 : 200);
            response.write("é".repeat(100_000));
            response.end(`${request.headers.authorization ?? "none"} ${body}`);
        });
    });
    await new Promise<void>((resolve) => {
        api.listen(0, "127.0.0.1", resolve);
    });
    ({ port } = api.address() as AddressInfo);
});
afterAll(() => {
    api.close();
    api.closeAllConnections();
    sshd.close();
});

test("a request reaches the node's loopback and the whole answer comes back", async () => {
    const answer = await httpOverSsh(
        sshd.node,
        { host: "127.0.0.1", port },
        {
            method: "POST",
            path: "/v1/completions",
            headers: { authorization: "Bearer x" },
            body: "b".repeat(200_000),
            timeoutSeconds: 10,
        },
    );
    expect(answer).toEqual({
        status: 201,
        body: `${"é".repeat(100_000)}Bearer x ${"b".repeat(200_000)}`,
    });
});

test("a closed port and an answer that never comes are one line each", async () => {
    const ask = (target: number, path: string) =>
        httpOverSsh(
            sshd.node,
            { host: "127.0.0.1", port: target },
            { method: "GET", path, timeoutSeconds: 1 },
        );
    const closed = await freePort();
    await expect(ask(closed, "/")).rejects.toThrow(
        `spark-1, 127.0.0.1:${String(closed)}: nothing listens there (or the node's sshd forbids forwarding)`,
    );
    await expect(ask(port, "/hang")).rejects.toThrow("no whole answer within 1 s");
});
