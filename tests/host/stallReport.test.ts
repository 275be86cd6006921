import { describeStall } from "../../components/host/stallReport";

const memory = "total 127600000\navailable 19084082\n";

test.each([
    [`${memory}gpu 31.46, 96\n`, "18.2 of 121.7 GiB available, GPU 31 W, 96 % busy"],
    // Some drivers do not tell the power of a GB10.
    [`${memory}gpu [N/A], 3\n`, "18.2 of 121.7 GiB available, GPU 3 % busy"],
    [`${memory}gpu NVIDIA GB10\n`, "18.2 of 121.7 GiB available"],
    [memory, "18.2 of 121.7 GiB available"],
    ["", "memory not known"],
])("%j", (said, text) => {
    expect(describeStall(said)).toBe(text);
});
