import {
    decideLaunch,
    exitedSinceStop,
    type LaunchRecord,
    type ObservedNode,
    type ObservedRank,
} from "../../components/host/launchState";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function rank(overrides: Partial<ObservedRank>): ObservedRank {
    return {
        id: "aaa",
        name: "/m-rank0",
        rank: 0,
        group: "g",
        running: true,
        exitCode: 0,
        oomKilled: false,
        image: "sha256:1",
        startedAt: at(20),
        finishedAt: "0001-01-01T00:00:00Z",
        ...overrides,
    };
}
const marked: LaunchRecord = { launch: "one", stoppedAt: at(10), ranks: null };
const finished: LaunchRecord = {
    ...marked,
    ranks: [
        { node: "a", id: "aaa", startedAt: at(20) },
        { node: "b", id: "bbb", startedAt: at(21) },
    ],
};

function pair(
    record: LaunchRecord | null,
    head: Partial<ObservedRank> = {},
    worker: Partial<ObservedRank> = {},
): ObservedNode[] {
    return [
        { node: "a", now: at(40), record, containers: [rank(head)] },
        {
            node: "b",
            now: at(40),
            record,
            containers: [
                rank({ id: "bbb", name: "/m-rank1", rank: 1, startedAt: at(21), ...worker }),
            ],
        },
    ];
}

test("both ranks created after the common stop: nothing is stopped again", () => {
    expect(decideLaunch(pair(marked))).toEqual({ kind: "complete" });
});

test("a peer that the stop ended is only started", () => {
    const stopped = { running: false, startedAt: at(1), finishedAt: at(9), exitCode: 137 };
    expect(decideLaunch(pair(marked, {}, stopped))).toEqual({ kind: "complete" });
});

test("all ranks as the last launch recorded them: waited on", () => {
    expect(decideLaunch(pair(finished))).toEqual({ kind: "wait-on" });
});

test.each([
    ["no record", pair(null), "the ranks do not belong to one launch"],
    [
        "records of two launches",
        [pair(marked)[0], { ...pair(marked)[1], record: { ...marked, launch: "two" } }],
        "the ranks do not belong to one launch",
    ],
    [
        "a rank missing",
        [pair(marked)[0], { ...pair(marked)[1], containers: [] }],
        "b has 0 ranks of this group",
    ],
    [
        "a rank that ran on through the stop",
        pair(marked, {}, { startedAt: at(9) }),
        "rank 1 on b runs since before the stop",
    ],
    [
        "a dead rank",
        pair(finished, {}, { running: false, exitCode: 137 }),
        "rank 1 on b has exited with 137",
    ],
    [
        "another container",
        pair(finished, { id: "ccc" }),
        "rank 0 on a was started apart from its group",
    ],
    [
        "the same container, started again alone",
        pair(finished, {}, { startedAt: at(30) }),
        "rank 1 on b was started apart from its group",
    ],
    [
        "a node that the record does not know",
        pair({ ...finished, ranks: finished.ranks?.slice(0, 1) ?? [] }),
        "b has no complete record of the launch",
    ],
])("%s: all ranks are started anew", (_, nodes, reason) => {
    expect(decideLaunch(nodes as ObservedNode[])).toEqual({ kind: "restart", reason });
});

test("a rank that ran since the stop and ended is this launch's failure", () => {
    const [, worker] = pair(marked, {}, { running: false, exitCode: 1, startedAt: at(12) });
    expect(worker && exitedSinceStop(worker)?.exitCode).toBe(1);
});

test("a rank that the stop itself ended is none", () => {
    const [, worker] = pair(marked, {}, { running: false, exitCode: 0, startedAt: at(2) });
    expect(worker && exitedSinceStop(worker)).toBeUndefined();
});
