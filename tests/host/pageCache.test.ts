import { describeDrop } from "../../components/host/pageCache";

test.each([
    ["free 104857600", undefined],
    [
        "dropped 83886080 104857600\n",
        "dropped the page cache: 80.0 GiB of memory were free, now 100.0 GiB",
    ],
    [
        "short 62914560",
        "the page cache stays: only 60.0 GiB are available, less than the engine wants",
    ],
])("%j", (answer, expected) => {
    expect(describeDrop(answer)).toBe(expected);
});
