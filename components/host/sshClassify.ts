/** Why there is no connection, or none any more. */
export type ConnectFailure =
    | "name"
    | "name-for-now"
    | "refused"
    | "timed-out"
    | "no-route"
    | "closed"
    | "host-key-unknown"
    | "host-key-changed"
    | "key-refused"
    | "ssh-settings"
    | "no-ssh"
    | "login-shell"
    | "lost"
    | "limit"
    | "other";

const patterns: readonly (readonly [RegExp, ConnectFailure])[] = [
    [/REMOTE HOST IDENTIFICATION HAS CHANGED/, "host-key-changed"],
    [/No \S+ host key is known|authenticity of host .* can't be established/, "host-key-unknown"],
    [/Host key verification failed/, "host-key-changed"],
    [/Temporary failure in name resolution/, "name-for-now"],
    [/Could not resolve hostname/, "name"],
    [/Permission denied|Too many authentication failures/, "key-refused"],
    [
        /Bad configuration option|Can't open user config file|terminating, \d+ bad|too long/i,
        "ssh-settings",
    ],
    [/Bad owner or permissions|unix_listener|ControlSocket|muxserver/, "ssh-settings"],
    [/Connection refused/, "refused"],
    [/timed out|Timeout, server/i, "timed-out"],
    [/No route to host|Network is unreachable|Host is down/, "no-route"],
    [/Connection (closed|reset)|reset by peer|Broken pipe|kex_exchange|mux_client/i, "closed"],
];

/** Reads ssh's own words on stderr (exit code 255). */
export function classify(stderr: string): ConnectFailure {
    return patterns.find(([pattern]) => pattern.test(stderr))?.[1] ?? "other";
}

/** Failures that a node which is just starting shows for some seconds. */
export function mayPass(kind: ConnectFailure): boolean {
    const passing = ["name-for-now", "refused", "timed-out", "no-route", "closed"];
    return passing.includes(kind);
}
