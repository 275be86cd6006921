import { container, docker, found, own } from "./rulesFixture";

const other = container({
    id: "c".repeat(64),
    name: "spark-vllm-spark-0",
    groupId: "g2",
    stack: "other",
    owner: "acme/spark-vllm/other",
    running: true,
});
const takeOver = { launch: { dropCaches: false, takeOver: true } };
const refused =
    "docker other-group: spark-vllm-spark-0, a rank of acme/spark-vllm/other, runs here";

test("another stack's rank that runs is refused, its owner named", () => {
    const named = container({ ...other, name: "elsewhere" });
    expect(found(docker({ containers: [own, named] }))).toEqual([
        "docker other-group: elsewhere, a rank of acme/spark-vllm/other, runs here",
    ]);
});

test("the same stack's name with another id is another group", () => {
    expect(found(docker({ containers: [{ ...other, stack: "spark", name: "x" }] }))).toEqual([
        "docker other-group: x, a rank of acme/spark-vllm/other, runs here",
    ]);
});

test("one that does not run holds nothing", () => {
    expect(found(docker({ containers: [{ ...other, running: false, name: "x" }] }))).toEqual([]);
});

test("with launch.takeOver neither the rank, its name nor its ports stand in the way", () => {
    const listener = {
        address: "0.0.0.0",
        port: 8000,
        process: "vllm",
        pid: 9,
        container: other.id,
    };
    const facts = (all: Parameters<ReturnType<typeof docker>>[0]) => ({
        ...docker({ containers: [other] })(all),
        listeners: [listener],
    });
    expect(found(facts)).toEqual([refused]);
    expect(found(facts, takeOver)).toEqual([]);
});
