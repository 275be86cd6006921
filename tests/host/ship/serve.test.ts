import { execFileSync } from "node:child_process";
import serveProgram from "../../../components/host/ship/serve.py";

test("what several receivers' threads say at once stays a line each", () => {
    const [say = ""] = /^def say\(.*\n(?: +.*\n)+/m.exec(serveProgram) ?? [];
    const program = [
        "import json, os, sys, threading",
        say,
        "def talk(node):",
        "    for count in range(2000): say('sent', node=node, bytes=count)",
        "for each in [threading.Thread(target=talk, args=(n,)) for n in range(8)]: each.start()",
    ].join("\n");
    const text = execFileSync("python3", ["-uc", program], { encoding: "utf8" });
    const lines = text.trimEnd().split("\n");
    expect(lines).toHaveLength(16_000);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ kind: "sent" });
});
