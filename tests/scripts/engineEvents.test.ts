interface Events {
    readonly changesOf: (events: readonly object[]) => ReadonlyMap<string, string>;
    readonly changeLines: (
        changes: ReadonlyMap<string, string>,
        nodes: readonly string[],
    ) => readonly string[];
    readonly replacement: (events: readonly object[]) => readonly string[];
    readonly progressOf: (event: object) => readonly string[];
    readonly errorsOf: (events: readonly object[]) => readonly string[];
    readonly warningCount: (events: readonly object[]) => number;
}
const { changesOf, changeLines, replacement, progressOf, errorsOf, warningCount } =
    jest.requireActual<Events>("../../scripts/engine/events.js");

const container = "docker:index/container:Container";
const image = "docker:index/image:Image";
const urn = (type: string, name: string) =>
    `urn:pulumi:lab::spark-vllm::a:b:Cluster$${type}::${name}`;
const pre = (op: string, type: string, name: string) => ({
    resourcePreEvent: { metadata: { op, urn: urn(type, name) } },
});
const done = (op: string, type: string, name: string) => ({
    resOutputsEvent: { metadata: { op, urn: urn(type, name) } },
});
const says = (severity: string, message: string) => ({ diagnosticEvent: { severity, message } });

test("changes: what does something, without the engine's own resources", () => {
    const changes = changesOf([
        pre("create", "pulumi:pulumi:Stack", "spark-vllm-lab"),
        pre("create", "pulumi:providers:command", "default_1_2_1"),
        pre("same", image, "spark-1-image"),
        pre("read", "pulumi:pulumi:StackReference", "x"),
        pre("update", "command:local:Command", "preflight"),
        pre("delete-replaced", container, "spark-1-rank"),
        pre("replace", container, "spark-1-rank"),
        pre("create-replacement", container, "spark-1-rank"),
    ]);
    expect([...changes]).toEqual([
        ["preflight", "update"],
        ["spark-1-rank", "replace"],
    ]);
});

test("change lines: one for each node and kind, the group last", () => {
    const changes = new Map([
        ["launch", "replace"],
        ["spark-2", "create"],
        ["spark-2-rank", "create"],
        ["spark-1-rank", "replace"],
        ["spark-1-image", "create"],
        ["preflight", "update"],
    ]);
    expect(changeLines(changes, ["spark-1", "spark-2"])).toEqual([
        "+- spark-1   rank",
        "+  spark-1   image",
        "+  spark-2   node, rank",
        "+- group     launch",
        "~  group     preflight",
    ]);
});

test("replacement: what it costs, old and new value of each changed argument", () => {
    const events = [
        says("info", "something else"),
        says(
            "info",
            "replaces 2 ranks, without service for about 6 s; since the group last served:\n  --a: 2 -> 4 (all ranks)\n",
        ),
    ];
    expect(replacement([])).toEqual([]);
    expect(replacement(events)).toEqual([
        "replaces 2 ranks, without service for about 6 s",
        "--a: 2 -> 4 (all ranks)",
    ]);
});

test.each([
    [done("create", container, "spark-1-rank"), ["spark-1-rank  created"]],
    [done("create-replacement", container, "spark-1-rank"), ["spark-1-rank  created"]],
    [done("delete-replaced", container, "spark-1-rank"), ["spark-1-rank  deleted"]],
    [done("create", image, "spark-1-image"), ["spark-1-image  created"]],
    [done("delete", image, "spark-1-image"), []],
    [done("replace", container, "spark-1-rank"), []],
    [done("create", "command:local:Command", "group-id"), []],
    [says("info", "    2 s  spark-1  API started\n"), ["spark-1  API started"]],
    [says("info", "    2 s  spark-1  x   spark-2  y\n"), ["spark-1  x", "spark-2  y"]],
    [says("info", "[3/3] COPY x\n"), []],
    [says("debug", "    2 s  x\n"), []],
    [
        { resOpFailedEvent: { metadata: { urn: urn(image, "spark-1-image") } } },
        ["spark-1-image  failed"],
    ],
])("progress of %j", (event, lines) => {
    expect(progressOf(event)).toEqual(lines);
});

test("errors are whole, warnings are counted", () => {
    const events = [
        says("error", "a\nb\n"),
        says("warning", "x\n3 warnings.\n"),
        says("warning", "y"),
    ];
    expect(errorsOf(events)).toEqual(["a\nb"]);
    expect(warningCount(events)).toBe(4);
});
