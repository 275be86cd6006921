interface Result {
    readonly name: string;
    readonly seconds: number;
    readonly passed: number;
    readonly failed: number;
    readonly failures: readonly string[];
    readonly skipped: readonly string[];
    readonly leftOut?: string;
}
interface Total {
    readonly passed: number;
    readonly failed: number;
    readonly ci: boolean;
}
interface Tally {
    readonly countJest: (suite: string, json: object) => Omit<Result, "name" | "seconds">;
    readonly tally: (results: readonly Result[], options: { readonly ci: boolean }) => Total;
    readonly render: (results: readonly Result[], total: Total) => string;
}

const { countJest, tally, render } = jest.requireActual<Tally>("../../scripts/testing/tally.js");

function file(name: string, status: string, tests: Readonly<Record<string, string>>, message = "") {
    const assertionResults = Object.entries(tests).map(([fullName, verdict]) => ({
        fullName,
        status: verdict,
    }));
    return { name, status, message, assertionResults };
}

const good: Result = {
    name: "unit",
    seconds: 3,
    passed: 7,
    failed: 0,
    failures: [],
    skipped: [],
};

test("every jest test counts; skipped ones are named", () => {
    const json = {
        testResults: [
            file("a.test.ts", "passed", { one: "passed", two: "pending", three: "todo" }),
            file("b.test.ts", "failed", { four: "failed", five: "passed" }),
        ],
    };
    expect(countJest("unit", json)).toEqual({
        passed: 2,
        failed: 1,
        failures: ["four"],
        reasons: [""],
        skipped: ["two", "three"],
    });
});

test("why it failed is told once, in the engine's own words", () => {
    const said =
        "\u001B[31mUpdating\u001B[39m\n  Diagnostics:\n    warning: x\n    a rank runs here\n      at f (a.ts:1)\n";
    const failed = (fullName: string, message: string) => ({
        fullName,
        status: "failed",
        failureMessages: [message],
    });
    const assertionResults = [
        failed("one", said),
        failed("two", said),
        failed("three", "3 is not 4"),
    ];
    const broken = {
        ...file("b.test.ts", "failed", { four: "passed" }, "left:\nspark-1: a rank"),
        name: "b",
    };
    const counted = countJest("engine", {
        testResults: [{ name: "a", status: "failed", message: "", assertionResults }, broken],
    });
    const result = { ...good, ...counted, name: "engine" };
    expect(render([result], tally([result], { ci: true }))).toBe(
        [
            "failed: engine: one",
            "        a rank runs here",
            "failed: engine: two",
            "failed: engine: three",
            "    3 is not 4",
            "failed: engine: b: left:",
            "    spark-1: a rank",
            "1 passed, 4 failed",
            "",
        ].join("\n"),
    );
});

test.each([
    [
        "a file that could not be loaded",
        [file("a.test.ts", "failed", {}, "\nCannot find module x\n  at …")],
        "a.test.ts: Cannot find module x",
    ],
    [
        "a file whose clean-up failed",
        [file("a.test.ts", "failed", { one: "passed" }, "afterAll: no")],
        "a.test.ts: afterAll: no",
    ],
    ["a suite without any test", [], "unit: no test found"],
])("%s is one failure", (_, testResults, failure) => {
    expect(countJest("unit", { testResults })).toMatchObject({ failed: 1, failures: [failure] });
});

const partial: readonly Result[] = [
    good,
    { ...good, passed: 1, skipped: ["on arm64"] },
    { ...good, name: "engine", passed: 0, leftOut: "no simulated nodes\nDocker does not answer" },
];

test("what this machine cannot run is left out with its reason, and fails nothing", () => {
    const total = tally(partial, { ci: false });
    expect(total).toEqual({ passed: 8, failed: 0, ci: false });
    expect(render(partial, total)).toBe(
        "left out: unit: on arm64 (skipped)\n" +
            "left out: engine: no simulated nodes\n    Docker does not answer\n" +
            "8 passed, 0 failed\n",
    );
});

test("in CI everything left out is a failure", () => {
    const total = tally(partial, { ci: true });
    expect(total).toEqual({ passed: 8, failed: 2, ci: true });
    expect(render(partial, total)).toContain(
        "failed (in CI nothing may be left out): engine: no simulated nodes",
    );
});

test("failures are named before the last line", () => {
    const results: readonly Result[] = [
        { ...good, name: "lint", passed: 0, failed: 1, failures: ["lint"] },
        { ...good, failed: 1, failures: ["plan: names are unique"] },
    ];
    expect(render(results, tally(results, { ci: true }))).toBe(
        "failed: lint\nfailed: unit: plan: names are unique\n7 passed, 2 failed\n",
    );
});
