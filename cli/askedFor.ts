import { createInterface } from "node:readline/promises";

/** Asks on a terminal; only y or yes is one. Ctrl-C and the end of input are a no, too. */
export async function askedFor(
    question: string,
    input: NodeJS.ReadableStream,
    output: NodeJS.WritableStream,
): Promise<boolean> {
    const asking = createInterface({ input, output, terminal: true });
    const closed = new Promise<string>((resolve) =>
        asking.once("close", () => {
            resolve("");
        }),
    );
    // Rejects at Ctrl-C, and stays open for ever when the input ends.
    const answered = asking.question(`${question} [y/N] `).catch(() => "");
    const answer = await Promise.race([answered, closed]);
    asking.close();
    if (answer === "") output.write("\n");
    return /^y(es)?$/i.test(answer.trim());
}
