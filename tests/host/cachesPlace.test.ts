import { describePlaced, parsePlaced } from "../../components/host/cachesPlace";

test("what a node says of its caches, for the user", () => {
    const placed = parsePlaced(
        [
            ...["aside\t/c/triton\t/c/triton.aaa", "cold\t/c/triton\tbbb"],
            ...["back\t/c/vllm\tbbb", "warm\t/c/vllm\tbbb", "locks\t/c/vllm\tsome", ""],
        ].join("\n"),
    );
    expect(placed[0]).toEqual({ what: "aside", directory: "/c/triton", about: "/c/triton.aaa" });
    expect(describePlaced(placed)).toEqual([
        "JIT cache /c/triton set aside as /c/triton.aaa",
        "JIT cache /c/vllm of bbb put back",
    ]);
});

test.each([
    ["cold\t/c/a\tx\ncold\t/c/b\tx", ["cold JIT: kernels are compiled at this start"]],
    ["warm\t/c/a\tx\ncold\t/c/b\tx", []],
    ["kept\t/c/a\ty\nwarm\t/c/a\tx", ["JIT cache /c/a kept (was y)"]],
    ["", []],
])("%j", (text, lines) => {
    expect(describePlaced(parsePlaced(text))).toEqual(lines);
});
