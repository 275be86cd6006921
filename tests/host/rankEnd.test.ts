import { type EndReason, firstCause, followed, rankEnd } from "../../components/host/rankEnd";
import { rankEnded } from "../../components/host/rankEndIssue";

const end = (rank: number, reason: EndReason, lines: readonly string[] = []) =>
    rankEnd({ node: `n${String(rank)}`, rank }, reason, lines, true);
const exited = (exitCode: number, oomKilled = false): EndReason => ({
    kind: "exited",
    exitCode,
    oomKilled,
});
const lost: EndReason = { kind: "lost", why: "closed" };

test.each<[string, EndReason, EndReason, number]>([
    ["the head that follows its worker with code 0", exited(0), exited(3), 1],
    ["two failures: the first seen", exited(1), exited(1), 0],
    ["a watch that broke", lost, exited(1), 1],
    ["a process that the kernel killed", exited(1), { kind: "oom-kill" }, 1],
    ["an exit that the kernel forced", exited(1), exited(137, true), 1],
    ["a restart after a clean exit", exited(0), { kind: "restarted" }, 1],
])("%s", (_, first, second, cause) => {
    expect(firstCause([end(0, first), end(1, second)])?.rank).toBe(cause);
});

test("of two failures, not the one that lost its peer, although it was seen first", () => {
    const lines = ["NCCL WARN socketProgress: Connection closed by remote peer 10.0.0.2:41629"];
    const [follower, cause] = [end(0, exited(1), lines), end(1, exited(3))];
    expect([follower, cause].map(followed)).toEqual([true, false]);
    expect(firstCause([follower, cause])?.rank).toBe(1);
    // With the cause in its own log it is no follower.
    expect(followed(end(0, exited(1), [...lines, "NCCL WARN Call to ibv_reg_mr failed"]))).toBe(
        false,
    );
});

test("of two failures, the one whose log says why", () => {
    const why = ["NCCL WARN Call to ibv_reg_mr failed", "RuntimeError: NCCL error"];
    expect(firstCause([end(0, exited(1)), end(1, exited(1), why)])?.rank).toBe(1);
});

test.each<[EndReason, string, string]>([
    [exited(3), "rank-exited", "rank 1 exited with code 3; the other ranks were stopped"],
    [exited(0), "rank-exited", "rank 1 exited with code 0 (the engine exits with 0"],
    [exited(137), "rank-exited", "code 137 (killed, as the kernel does when memory runs out)"],
    [exited(137, true), "rank-exited", "(out of memory: killed by the kernel)"],
    [{ kind: "restarted" }, "rank-exited", "was started anew by someone else"],
    [{ kind: "removed" }, "rank-exited", "its container was removed"],
    [lost, "rank-exited", "can no longer be watched: closed"],
    [{ kind: "oom-kill" }, "rank-exited", "lost a process to the kernel"],
    [
        { kind: "fatal-line", line: "NCCL WARN Bootstrap : no socket interface found" },
        "rank-exited",
        "said what never ends well (NCCL WARN Bootstrap : no socket interface found); all ranks were",
    ],
    [
        { kind: "low-memory", availableGib: 3.21 },
        "memory",
        "left 3.2 GiB of memory available on the node while weights loaded; all ranks were stopped",
    ],
])("%j", (reason, code, text) => {
    const issue = rankEnded(end(1, reason), []);
    expect(issue).toMatchObject({ code, file: "n1" });
    expect(issue.problem).toContain(text);
});

test("memory that ran out while weights loaded: the loader that avoids it", () => {
    const reasons: EndReason[] = [{ kind: "low-memory", availableGib: 2 }, exited(137)];
    for (const reason of reasons) {
        expect(rankEnded(end(0, reason), []).fix).toContain("--load-format instanttensor");
    }
});

test("last lines are quoted, and nodes that kept their rank named", () => {
    const { problem, fix } = rankEnded(end(1, exited(1), ["one", "two"]), ["n0"]);
    expect(problem).toBe(
        "rank 1 exited with code 1; the other ranks were stopped, except on n0, which did not answer\n" +
            "  last lines of its log:\n    | one\n    | two",
    );
    expect(fix).toBe("mend the cause, or put the previous recipe back, then run `pulumi up`");
});
