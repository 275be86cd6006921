import { setTimeout as pause } from "node:timers/promises";

import {
    type Answer,
    doctor,
    leftRunning,
    nodesWith,
    type ShownIssue,
    StackFile,
    traces,
} from "./nodeFaults";
import { lab, labConfig, onNode } from "./lab";
import { type Fault, faults, noUsers, one, two, users } from "./nodeFaultTable";

// Every class of fault that a node can have, on real machines as far as a container is one: doctor names the code, the
// node and the fix, in bounded time, and changes nothing anywhere.
jest.setTimeout(120_000);

const file = new StackFile("lab-nodes");
async function broken<T>(fault: Fault, look: () => Promise<T>): Promise<T> {
    const { on = two, break: damage, mend } = fault;
    // The shell of the node has no LAB_… of its own.
    const run = (line: string) =>
        onNode(on, `export $(tr '\\0' '\\n' </proc/1/environ | grep ^LAB_FABRIC_IP=); ${line}`);
    try {
        if (damage !== undefined) await run(damage);
        return await look();
    } finally {
        if (mend === "mount") await lab("mount", on.slice(-1));
        else if (mend !== undefined) await run(mend);
    }
}

beforeAll(() => {
    file.write();
});
afterAll(() => {
    file.remove();
});

test("two healthy nodes have no error, and one look at them takes its time once", async () => {
    const { errors, code } = await doctor(file.stack);
    expect([errors, code]).toEqual([[], 0]);
});

test.each(faults)("$name", async (fault) => {
    file.write(fault.config?.() ?? {});
    await broken(fault, async () => {
        const before = await traces();
        const found = await doctor(file.stack);
        expect(found.errors).toEqual(fault.errors);
        expect(found.code).toBe(fault.errors.length > 0 ? 1 : 0);
        const first = found.issues.find(({ severity }) => severity === "error");
        expect(first?.message ?? "").toContain(fault.says);
        expect(first?.fix ?? "").toContain(fault.fix);
        expect(found.seconds).toBeLessThan(fault.within ?? 15);
        expect(await traces()).toBe(before);
    });
});

const left = (what: "sessions" | "looks") =>
    Promise.all([one, two].map((node) => leftRunning(node, what)));

test("a NAS that hangs: both nodes, in bounded time, and no look stays behind", async () => {
    file.write();
    await lab("nas-hang");
    try {
        const before = await traces();
        const found = await doctor(file.stack);
        expect(found.errors).toEqual([`${one} nas mount-answers`, `${two} nas mount-answers`]);
        expect(found.issues[0]?.message).toContain(
            "/mnt/nas/ai/huggingface does not answer within 5 s",
        );
        expect(found.seconds).toBeLessThan(20);
        expect(await traces()).toBe(before);
        expect(await left("sessions")).toEqual(["", ""]);
    } finally {
        await lab("nas-resume");
    }
    // A look that the NAS has taken cannot be ended before it answers.
    const until = Date.now() + 20_000;
    while ((await left("looks")).join("") !== "" && Date.now() < until) await pause(200);
    expect(await left("looks")).toEqual(["", ""]);
});

/** Issues of a configuration with these nodes, while the users of the ssh faults are there. */
async function withUsers(nodes: readonly object[]) {
    await onNode(two, users);
    try {
        file.write({ nodes });
        return await doctor(file.stack);
    } finally {
        await onNode(two, noUsers);
    }
}

const messages = ({ issues }: { readonly issues: readonly ShownIssue[] } & Answer) =>
    issues.map(({ file: node, code, message }) => `${node} ${code}: ${message}`);

test("ssh that does not let us in: each node its own reason, all at once", async () => {
    const found = await withUsers(
        nodesWith({ host: "barred@spark-2" }, { host: "root@no-such-host.invalid" }),
    );
    expect(messages(found)).toEqual([
        expect.stringMatching(
            /^spark-1 unreachable: the name in root@no-such-host\.invalid does not resolve/,
        ),
        expect.stringMatching(
            /^spark-2 unreachable: the login shell of barred@spark-2 did not run our command: it said "This account is currently not available\."/,
        ),
    ]);
    const refused = await withUsers(nodesWith({ host: "keyless@spark-2" }));
    expect(refused.errors).toEqual(["spark-2 unreachable"]);
    const message = refused.issues.find(({ severity }) => severity === "error")?.message;
    expect(message).toMatch(/keyless@spark-2 refused the login .*Permission denied/);
});

test("pinned keys: swapped machines are noticed, with both fingerprints", async () => {
    const keys = await Promise.all(
        [one, two].map((node) =>
            onNode(node, "ssh-keygen -y -f /var/lib/spark/host_key | cut -d' ' -f1,2"),
        ),
    );
    const [first, second] = labConfig()["nodes"] as readonly object[];
    file.write({
        nodes: [
            { ...first, host: two, hostKey: keys[0] },
            { ...second, host: one, hostKey: keys[1] },
        ],
    });
    const found = await doctor(file.stack);
    expect(found.errors).toEqual(["spark-1 host-key", "spark-2 host-key"]);
    for (const { message } of found.issues) {
        expect(message).toMatch(
            /it offers SHA256:\S+; expected hostKey of spark-\d in the configuration, SHA256:/,
        );
    }
    file.write({
        nodes: [
            { ...first, host: one, hostKey: keys[0] },
            { ...second, hostKey: keys[1] },
        ],
    });
    expect((await doctor(file.stack)).errors).toEqual([]);
});

test("one machine under two names", async () => {
    const [first, second] = labConfig()["nodes"] as readonly object[];
    file.write({ nodes: [first, { ...second, host: "root@spark-1" }] });
    const { errors } = await doctor(file.stack);
    expect(errors[0]).toBe("spark-2 bad-config distinct-machines");
});
