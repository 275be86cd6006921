import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import type { SshPlan } from "../plan";
import { writing } from "../writing";
import { keyWords, knownHostsFile, pinAlias } from "./sshArguments";

/** ssh takes `~` from the password file, not from $HOME. */
export function sshFolder(): string {
    return path.join(os.userInfo().homedir, ".ssh");
}

/**
 * Makes ~/.ssh where absent and writes the pinned keys of these nodes into our own known_hosts file.
 * Must precede the first connection of either transport.
 * @throws RecipeError where that folder cannot be written to.
 */
export function ensureKnownHosts(nodes: readonly SshPlan[]): void {
    writing(() => {
        addPinned(nodes);
    });
}

function addPinned(nodes: readonly SshPlan[]): void {
    const folder = sshFolder();
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, path.basename(knownHostsFile));
    const present = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : [];
    const missing = nodes
        .flatMap(({ hostKey }) =>
            hostKey === undefined ? [] : [`${pinAlias(hostKey)} ${keyWords(hostKey)}`],
        )
        .filter((line, index, lines) => !present.includes(line) && lines.indexOf(line) === index);
    // One append a call: steps of several stacks may do so at once.
    if (missing.length > 0) fs.appendFileSync(file, `${missing.join("\n")}\n`, { mode: 0o600 });
}
