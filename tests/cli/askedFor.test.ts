import { PassThrough } from "node:stream";

import { askedFor } from "../../cli/askedFor";

test.each<[string, string, boolean]>([
    ["y", "y\r", true],
    ["yes", " YES \r", true],
    ["n", "n\r", false],
    ["a lone return", "\r", false],
    ["another word", "yesterday\r", false],
    ["Ctrl-C", "\u0003", false],
    ["Ctrl-C after a y", "y\u0003", false],
    ["Ctrl-D", "\u0004", false],
])("%s", async (_, keys, expected) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answer = askedFor("Remove these?", input, output);
    input.write(keys);
    expect(await answer).toBe(expected);
    expect(String(output.read())).toContain("Remove these? [y/N] ");
});

test("the end of input is a no", async () => {
    const input = new PassThrough();
    const answer = askedFor("Remove these?", input, new PassThrough());
    input.end();
    expect(await answer).toBe(false);
});
