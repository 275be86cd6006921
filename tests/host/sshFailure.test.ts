import { classify, mayPass } from "../../components/host/sshClassify";
import { connectError } from "../../components/host/sshFailure";

test.each([
    ["ssh: Could not resolve hostname spark-9: Name or service not known", "name"],
    ["ssh: Could not resolve hostname s: Temporary failure in name resolution", "name-for-now"],
    ["ssh: connect to host 10.0.0.1 port 22: Connection refused", "refused"],
    ["ssh: connect to host 10.0.0.1 port 22: Connection timed out", "timed-out"],
    ["ssh: connect to host 10.0.0.1 port 22: Operation timed out", "timed-out"],
    ["Connection timed out during banner exchange", "timed-out"],
    ["ssh: connect to host 10.0.0.1 port 22: No route to host", "no-route"],
    ["ssh: connect to host 10.0.0.1 port 22: Network is unreachable", "no-route"],
    ["kex_exchange_identification: Connection closed by remote host", "closed"],
    ["kex_exchange_identification: read: Connection reset by peer", "closed"],
    ["mux_client_request_session: read from master failed: Broken pipe", "closed"],
    ["Connection closed by UNKNOWN port 65535", "closed"],
    [
        "No ED25519 host key is known for s and you have requested strict checking.\nHost key verification failed.",
        "host-key-unknown",
    ],
    [
        "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
        "host-key-changed",
    ],
    ["me@s: Permission denied (publickey).", "key-refused"],
    [
        "Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures",
        "key-refused",
    ],
    ["/home/me/.ssh/config: line 3: Bad configuration option: hots", "ssh-settings"],
    ["Can't open user config file nowhere: No such file or directory", "ssh-settings"],
    ["ControlPath too long ('/x' >= 108 bytes)", "ssh-settings"],
    ["Bad owner or permissions on /home/me/.ssh/config", "ssh-settings"],
    ["unix_listener: cannot bind to path /x: Read-only file system", "ssh-settings"],
    ["", "other"],
] as const)("%s", (said, kind) => {
    expect(classify(said)).toBe(kind);
});

test("only what a starting node shows is tried again", () => {
    const kinds = [
        "name",
        "name-for-now",
        "refused",
        "timed-out",
        "no-route",
        "closed",
        "lost",
    ] as const;
    const refused = ["host-key-unknown", "host-key-changed", "key-refused", "login-shell"] as const;
    const passing = [...kinds, ...refused].filter(mayPass);
    expect(passing).toEqual(["name-for-now", "refused", "timed-out", "no-route", "closed"]);
});

test("an error names the node, what was said and what to do", () => {
    const node = { name: "spark-2", ssh: { destination: "me@spark-2.local", port: 2222 } };
    const said = "ssh: connect to host spark-2.local port 2222: No route to host\r\n";
    const error = connectError(node, "no-route", said);
    expect(error.kind).toBe("no-route");
    expect(error.issues).toEqual([
        {
            code: "unreachable",
            severity: "error",
            file: "spark-2",
            path: "",
            problem:
                "me@spark-2.local port 2222 does not answer (ssh: connect to host spark-2.local port 2222: No route to host)",
            expected: "a node that is switched on and reachable from this machine",
            fix: "check power, network and firewall, then try `ssh -p 2222 me@spark-2.local true`",
        },
    ]);
});
