import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import fabric from "../../components/host/facts/fabric.sh";
import json from "../../components/host/facts/json.sh";

/** What the fact scripts tell of RDMA devices by a tool that prints this. */
function told(tool: string, prints: string): string {
    const folder = mkdtempSync(path.join(tmpdir(), "spark-tool-"));
    try {
        const body = `#!/bin/sh\ncat <<'END'\n${prints}\nEND\n`;
        writeFileSync(path.join(folder, tool), body, { mode: 0o755 });
        if (tool !== "rdma")
            writeFileSync(path.join(folder, "rdma"), "#!/bin/sh\n", { mode: 0o755 });
        const script = [json, fabric, "rdma_of_tools"].join("\n");
        const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` };
        return execFileSync("sh", ["-c", script], { env, encoding: "utf8" });
    } finally {
        rmSync(folder, { recursive: true });
    }
}

test("rdma link and ibdev2netdev tell the same devices, port 1 of each", () => {
    const common = { rate: "", link_layer: "", gids: [] };
    const device = (name: string, state: string, interfaces: readonly string[]) => ({
        ...{ name, state, interfaces },
        ...common,
    });
    const devices = (text: string) =>
        (JSON.parse(`[${text}]`) as Record<string, unknown>[]).map(
            ({ phys_state: _, tool: __, ...rest }) => rest,
        );
    const expected = [
        device("rocep1s0f0", "DOWN", ["enp1s0f0np0"]),
        device("rocep1s0f1", "ACTIVE", ["enp1s0f1np1"]),
    ];
    const links = [
        "link rocep1s0f0/1 state DOWN physical_state DISABLED netdev enp1s0f0np0 ",
        "link rocep1s0f1/1 state ACTIVE physical_state LINK_UP netdev enp1s0f1np1 ",
    ].join("\n");
    expect(devices(told("rdma", links))).toEqual(expected);
    const table = [
        "rocep1s0f0 port 1 ==> enp1s0f0np0 (Down)",
        "rocep1s0f1 port 1 ==> enp1s0f1np1 (Up)",
    ].join("\n");
    expect(devices(told("ibdev2netdev", table))).toEqual(expected);
});
