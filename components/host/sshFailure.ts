import { createHash } from "node:crypto";

import { type Issue, type IssueCode, RecipeError } from "../issue";
import type { SshNode } from "./sshArguments";
import type { ConnectFailure } from "./sshClassify";

/** A node that could not be reached or did not run what it was sent; holds one issue. */
export class NodeError extends RecipeError {
    constructor(
        readonly kind: ConnectFailure,
        issue: Issue,
    ) {
        super([issue]);
        this.message = `${issue.file ?? ""}: ${issue.problem}`;
    }
}

interface Text {
    readonly code?: IssueCode;
    readonly problem: string;
    readonly expected: string;
    readonly fix: string;
}

/** The error for a failure, with ssh's words where they say more than ours. */
export function connectError(node: SshNode, kind: ConnectFailure, said: string): NodeError {
    const { code, ...text } = describe(node, kind, said);
    return new NodeError(kind, {
        code: code ?? "unreachable",
        severity: "error",
        file: node.name,
        path: "",
        ...text,
    });
}

/** A script that did not end in time, on the node or seen from here. */
export function pastLimit(node: SshNode, seconds: number): NodeError {
    return connectError(node, "limit", `a step did not end within its ${String(seconds)} s`);
}

function describe(node: SshNode, kind: ConnectFailure, said: string): Text {
    const { destination, port } = node.ssh;
    const to = port === undefined ? destination : `${destination} port ${String(port)}`;
    const command = port === undefined ? destination : `-p ${String(port)} ${destination}`;
    const tried = `try \`ssh ${command} true\``;
    switch (kind) {
        case "name":
        case "name-for-now":
            return {
                problem: `the name in ${destination} does not resolve`,
                expected: "a host name, an address or an alias of ~/.ssh/config",
                fix: `correct the node's host in the stack's configuration, or ${tried}`,
            };
        case "refused":
            return {
                problem: `${to} refused the connection`,
                expected: "sshd to listen there",
                fix: "start sshd on the node (`sudo systemctl enable --now ssh`), or correct the port",
            };
        case "timed-out":
        case "no-route":
            return {
                problem: `${to} does not answer (${lastLine(said) || "no answer in time"})`,
                expected: "a node that is switched on and reachable from this machine",
                fix: `check power, network and firewall, then ${tried}`,
            };
        case "closed":
        case "lost":
            return {
                problem: `the connection to ${to} was closed (${lastLine(said) || "no reason given"})`,
                expected: "the connection to last until the step ends",
                fix: `look at sshd's log on the node (\`journalctl -u ssh\`), or ${tried}`,
            };
        default:
            return describeRefusal(node, kind, said, tried);
    }
}

function describeRefusal(node: SshNode, kind: ConnectFailure, said: string, tried: string): Text {
    const { destination, hostKey } = node.ssh;
    switch (kind) {
        case "host-key-changed":
        case "host-key-unknown":
            return hostKeyText(node, kind, said);
        case "key-refused":
            return {
                problem: `${destination} refused the login (${lastLine(said)})`,
                expected: "a key that the node accepts without a question",
                fix: `\`ssh-copy-id ${destination}\`, or load the key into the agent (\`ssh-add\`)`,
            };
        case "login-shell":
            return {
                problem: `the login shell of ${destination} did not run our command${quoted(said)}`,
                expected:
                    "a login shell that runs what ssh is given (not nologin, no question asked)",
                fix: "give the user a shell (`sudo usermod -s /bin/bash USER`), or quieten its start files",
            };
        case "limit":
            return {
                problem: said,
                expected: "an answer in time",
                fix: `${tried}, look at the load`,
            };
        case "no-ssh":
            return {
                problem: "there is no `ssh` program on this machine",
                expected: "the OpenSSH client on the PATH",
                fix: "install it (Debian, Ubuntu: `sudo apt-get install openssh-client`)",
            };
        default:
            return {
                problem: `ssh failed: ${lastLine(said) || "it gave no reason"}`,
                expected: `\`ssh ${destination}\` to work without a question`,
                fix: hostKey === undefined ? tried : "check the node's host and hostKey",
            };
    }
}

function hostKeyText(node: SshNode, kind: ConnectFailure, said: string): Text {
    const { destination, hostKey } = node.ssh;
    const offered = /SHA256:[A-Za-z0-9+/]+/.exec(said)?.[0];
    const shown = offered === undefined ? "" : `: it offers ${offered}`;
    if (hostKey !== undefined) {
        return {
            code: "host-key",
            problem: `${destination} shows another host key${shown}`,
            expected: `hostKey of ${node.name} in the configuration, ${fingerprint(hostKey)}`,
            fix:
                "if the node was reinstalled, compare the fingerprint at the node " +
                "(`ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub`) and put the new key into hostKey",
        };
    }
    if (kind === "host-key-unknown") {
        return {
            code: "host-key",
            problem: `the host key of ${destination} is not known${shown}`,
            expected: "a key that is in known_hosts or pinned as the node's hostKey",
            fix: `compare the fingerprint at the node, then \`ssh ${destination}\` once and answer yes`,
        };
    }
    const known = /Offending \S+ key in (\S+)/.exec(said)?.[1] ?? "known_hosts";
    return {
        code: "host-key",
        problem: `${destination} shows another host key${shown}`,
        expected: `the key in ${known}`,
        fix:
            "if the node was reinstalled, compare the fingerprint at the node, " +
            `remove that line and \`ssh ${destination}\` once; else a stranger answers there`,
    };
}

/** As OpenSSH shows it. */
export function fingerprint(hostKey: string): string {
    const key = Buffer.from(hostKey.trim().split(/\s+/)[1] ?? "", "base64");
    return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

function lastLine(text: string): string {
    return text.trim().split(/\r?\n/).at(-1)?.trim() ?? "";
}

function quoted(said: string): string {
    return said.trim() === "" ? "" : `: it said "${lastLine(said)}"`;
}
