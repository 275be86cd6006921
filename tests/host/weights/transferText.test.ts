import { transferText } from "../../../components/host/weights/transferText";

const gib = 2 ** 30;
const look = (done: number, seconds: number, total = 156.3 * gib) => ({ done, total, seconds });

test.each([
    [look(0, 1), look(0, 1), "0.0 MiB of 156.3 GiB (0 %)"],
    [look(0, 1), look(12.3 * gib, 101), "12.3 GiB of 156.3 GiB (7 %), 126.0 MiB/s, 20 min left"],
    [look(0, 0), look(155.3 * gib, 155.3), "155.3 GiB of 156.3 GiB (99 %), 1.0 GiB/s, 1 s left"],
    // What an earlier run brought is no pace of this one.
    [
        look(100 * gib, 0),
        look(101 * gib, 10),
        "101.0 GiB of 156.3 GiB (64 %), 102.4 MiB/s, 10 min left",
    ],
    [look(0, 0, 0), look(0, 1, 0), "0.0 MiB of 0.0 MiB (100 %)"],
])("%j, now %j", (first, now, expected) => {
    expect(transferText(first, now)).toBe(expected);
});
