import { execFile } from "node:child_process";
import os from "node:os";
import { promisify } from "node:util";

import { keyWords, sshArguments, type SshNode } from "./sshArguments";
import { fingerprint } from "./sshFailure";

/**
 * The node's host key, if the user trusts it already: the key that the node shows now and that stands in a known_hosts
 * file of theirs. Nothing is accepted here: a node whose key is unknown cannot be asked anything.
 *
 * undefined: trusted in another way (a certificate, a program), so there is nothing to pin.
 */
export async function trustedHostKey(node: SshNode): Promise<string | undefined> {
    if (node.ssh.hostKey !== undefined) return keyWords(node.ssh.hostKey);
    const [shown, known] = await Promise.all([shownFingerprint(node), knownKeys(node)]);
    return known.find((key) => fingerprint(key) === shown);
}

/** What the node shows in a connection of its own: a shared one says nothing. */
async function shownFingerprint({ ssh }: SshNode): Promise<string | undefined> {
    const words = ["-n", "-o", "ControlPath=none", "-o", "LogLevel=DEBUG1", ...sshArguments(ssh)];
    const { stderr } = await run("ssh", [...words, ssh.destination, "exit 0"]);
    return /Server host key: \S+ (SHA256:\S+)/.exec(stderr)?.[1];
}

/** Keys that known_hosts files have for the node, as type and key. */
async function knownKeys({ ssh }: SshNode): Promise<readonly string[]> {
    const { stdout } = await run("ssh", ["-G", ...sshArguments(ssh), ssh.destination]);
    const settings = new Map(
        stdout.split("\n").map((line) => {
            const [key = "", ...words] = line.split(" ");
            return [key, words.join(" ")] as const;
        }),
    );
    const { name, files } = knownHostsOf(settings);
    const found = await Promise.all(
        files.map((file) => run("ssh-keygen", ["-F", name, "-f", file])),
    );
    return found.flatMap(({ stdout: lines }) =>
        lines
            .split("\n")
            .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("@"))
            .map((line) => keyWords(line.split(" ").slice(1).join(" "))),
    );
}

/** Under which name, and in which files, ssh looks for a host's keys. */
export function knownHostsOf(settings: ReadonlyMap<string, string>): {
    readonly name: string;
    readonly files: readonly string[];
} {
    const host = settings.get("hostkeyalias") ?? settings.get("hostname") ?? "";
    const port = settings.get("port") ?? "22";
    const home = os.userInfo().homedir;
    const plain = port === "22" || settings.has("hostkeyalias");
    const files = ["userknownhostsfile", "globalknownhostsfile"].flatMap((key) =>
        (settings.get(key) ?? "").split(" ").map((file) => file.replace(/^~(?=\/)/, home)),
    );
    return {
        name: plain ? host : `[${host}]:${port}`,
        files: files.filter((file) => file !== "" && file !== "/dev/null"),
    };
}

/** Both streams, whatever the exit code: a file without the host is no failure. */
async function run(program: string, words: readonly string[]) {
    try {
        return await promisify(execFile)(program, [...words], { timeout: 20_000 });
    } catch (error) {
        const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
        return { stdout, stderr };
    }
}
