import { createHash } from "node:crypto";

import type { SshPlan } from "../plan";

/** What the runner needs to know of a node. */
export interface SshNode {
    readonly name: string;
    readonly ssh: SshPlan;
}

/** Pinned host keys; ssh expands the `~` itself, so the same words suit every checkout and user. */
export const knownHostsFile = "~/.ssh/spark-vllm.known_hosts";

/** Name under which a pinned key stands in our known_hosts file: made of the key, so entries never contradict. */
export function pinAlias(hostKey: string): string {
    return `spark-vllm-${createHash("sha256").update(keyWords(hostKey)).digest("hex").slice(0, 12)}`;
}

/** Type and key without a comment: `ssh-ed25519 AAAA…`. */
export function keyWords(hostKey: string): string {
    return hostKey.trim().split(/\s+/).slice(0, 2).join(" ");
}

/**
 * The words between `ssh` and the destination, the same for our runner and the docker provider.
 *
 * They hold no path of this machine, because they are kept in the state. They use the node's shared
 * connection when there is one and never start it: that is `connect`'s work, since a shared connection
 * started by a child with piped stderr would hold the pipe open.
 */
export function sshArguments(ssh: SshPlan): readonly string[] {
    return [
        ...(ssh.config === undefined ? [] : ["-F", ssh.config]),
        ...(ssh.port === undefined ? [] : ["-p", String(ssh.port)]),
        ...options({
            BatchMode: "yes",
            ConnectTimeout: "10",
            ServerAliveInterval: "15",
            ServerAliveCountMax: "4",
            StrictHostKeyChecking: "yes",
            UpdateHostKeys: "no",
            LogLevel: "ERROR",
            // An alias made for humans may forward ports or start a program; that would fail or hang here.
            ClearAllForwardings: "yes",
            ForwardAgent: "no",
            RequestTTY: "no",
            RemoteCommand: "none",
            PermitLocalCommand: "no",
            ControlMaster: "no",
            ControlPath: controlPath(ssh),
        }),
        ...(ssh.hostKey === undefined ? [] : pinOptions(ssh.hostKey)),
    ];
}

/** Short, because a socket's path may have 104 bytes; a pin has a socket of its own, so it cannot be bypassed. */
function controlPath(ssh: SshPlan): string {
    const pin = ssh.hostKey === undefined ? "" : `${pinAlias(ssh.hostKey).slice(-6)}-`;
    return `~/.ssh/spark-${pin}%C`;
}

function pinOptions(hostKey: string): readonly string[] {
    return options({
        HostKeyAlias: pinAlias(hostKey),
        UserKnownHostsFile: knownHostsFile,
        GlobalKnownHostsFile: "/dev/null",
        KnownHostsCommand: "none",
        VerifyHostKeyDNS: "no",
        CheckHostIP: "no",
    });
}

function options(settings: Readonly<Record<string, string>>): string[] {
    return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}
