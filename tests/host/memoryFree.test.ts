import { memoryShort } from "../../components/host/memoryFree";

test("enough, or nothing that could be read: no issue", () => {
    expect(memoryShort("a", "0.80", "106954752 127600000 102080000\n")).toBeUndefined();
    expect(memoryShort("a", "0.80", "")).toBeUndefined();
});

test("too little: node, what is there, what is wanted", () => {
    expect(memoryShort("a", "0.80", "52428800 127600000 102080000\n")).toMatchObject({
        code: "memory",
        file: "a",
        problem:
            "50.0 GiB of memory are available 30 s after the old ranks stopped, the engine wants 97.4 GiB (0.80 of 121.7 GiB)",
    });
});
