import { readdirSync, readFileSync } from "node:fs";

import { runScript } from "../../components/host";
import { labConfig, labNodes } from "./lab";

// Over stdin to the nodes' shells, so that the look itself shows none.
const loop = `while :; do for f in /proc/[0-9]*/cmdline; do
    line=$(tr '\\0' ' ' <"$f" 2>/dev/null) || continue
    case $line in *"$1"* | *"$2"*) echo "$line" ;; esac
    done; sleep 0.1; done`;

/** Command lines in /proc that hold one of two secrets, here and on the nodes, while `during` runs. */
export async function commandLinesWith(
    secrets: readonly [string, string],
    during: () => Promise<unknown>,
): Promise<readonly string[]> {
    const found = new Set<string>();
    const look = () => {
        for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
            try {
                const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
                if (secrets.some((secret) => line.includes(secret))) found.add(line);
            } catch {
                // It has ended.
            }
        }
    };
    const stop = new AbortController();
    const config = labConfig()["sshConfig"] as string;
    const remote = labNodes().map((name) =>
        runScript({ name, ssh: { destination: name, config } }, loop, {
            args: secrets,
            signal: stop.signal,
            onLine: (line, stream) => stream === "stdout" && found.add(line),
        }).catch(() => undefined),
    );
    const timer = setInterval(look, 100);
    try {
        await during();
    } finally {
        clearInterval(timer);
        stop.abort();
        await Promise.all(remote);
    }
    return [...found];
}
