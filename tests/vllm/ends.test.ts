import { commandLines, expected, program, readEnds } from "./ends";
import { inImage } from "./inImage";

test("vLLM ends as the table says", async () => {
    expect(readEnds(await inImage(program, commandLines("local/tiny-cpu")))).toEqual(expected);
}, 600_000);
