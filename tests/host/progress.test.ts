import { startProgress } from "../../components/host/progress";

let lines: string[];
const write = (line: string) => lines.push(line);

beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
});
afterEach(() => {
    jest.useRealTimers();
});

test("news of a second is one line: each node once, of a percentage the latest", () => {
    const progress = startProgress(write);
    jest.advanceTimersByTime(5000);
    progress.tick("b", "weights 1 %", "weights");
    jest.advanceTimersByTime(0);
    progress.tick("a", "weights 2 %", "weights");
    progress.tick("b", "weights 2 %", "weights");
    progress.tick("a", "weights 4 %", "weights");
    progress.tick("a", "plugin registered");
    jest.advanceTimersByTime(999);
    expect(lines).toEqual(["    5 s  b  weights 1 %"]);
    jest.advanceTimersByTime(1);
    expect(lines.slice(1)).toEqual(["    6 s  a  weights 4 %; plugin registered   b  weights 2 %"]);
});

test("what is said at once comes after what waited", () => {
    const progress = startProgress(write);
    progress.tick("a", "one");
    jest.advanceTimersByTime(0);
    progress.tick("a", "two");
    progress.say("b", "now");
    jest.advanceTimersByTime(2000);
    expect(lines).toEqual(["    0 s  a  one", "    0 s  a  two", "    0 s  b  now"]);
});

test("the end shows what still waits", () => {
    const progress = startProgress(write);
    progress.tick("a", "one");
    jest.advanceTimersByTime(0);
    progress.tick("a", "two");
    progress.flush();
    expect(lines).toEqual(["    0 s  a  one", "    0 s  a  two"]);
});
