import { readFileSync } from "node:fs";
import path from "node:path";

/** A command line that ends by itself, and how: the same for vLLM and for the stand-in. */
export interface End {
    readonly name: string;
    /** What follows the model, in a group of two of which this is rank 0 unless it says otherwise. */
    readonly words: readonly string[];
    readonly code: number;
    readonly says: string;
}

export const ends: readonly End[] = [
    {
        name: "an unknown flag",
        words: ["--no-such-flag", "1"],
        code: 2,
        says: "vllm: error: unrecognized arguments: --no-such-flag 1",
    },
    {
        name: "broken JSON",
        words: ["--speculative-config", '{"method":'],
        code: 2,
        says: 'argument --speculative-config/-sc: Value {"method": cannot be converted to <function loads at 0x',
    },
    {
        name: "JSON in a shell's quotes",
        words: ["--speculative-config", "\n'{\"a\":1}'"],
        code: 2,
        says: "cannot be converted to <function loads",
    },
    {
        name: "a bad choice",
        words: ["--kv-cache-dtype", "nope"],
        code: 2,
        says: "argument --kv-cache-dtype: invalid choice: 'nope' (choose from",
    },
    {
        name: "a bad number",
        words: ["--port", "abc"],
        code: 2,
        says: "argument --port: invalid int value: 'abc'",
    },
    {
        name: "a prefix of two flags",
        words: ["--kv-cache", "1"],
        code: 2,
        says: "ambiguous option: --kv-cache could match",
    },
    {
        name: "too few tensor parallel ranks",
        words: ["--tensor-parallel-size", "1"],
        code: 1,
        says: "`--nnodes 2` must evenly divide the total world size (1). Adjust `--nnodes`",
    },
    {
        name: "a rank beyond the group",
        words: ["--node-rank", "2"],
        code: 1,
        says: "`--node-rank` must be between 0 and 1; got `--node-rank 2`. Set it to",
    },
    {
        name: "no node",
        words: ["--nnodes", "0"],
        code: 1,
        says: "greater than or equal to 1",
    },
    {
        name: "another machine's address",
        words: ["--host", "192.0.2.1"],
        code: 1,
        says: "OSError: [Errno 99] Cannot assign requested address",
    },
    {
        name: "a tool parser that is not there",
        words: ["--enable-auto-tool-choice", "--tool-call-parser", "nope"],
        code: 1,
        says: "invalid tool call parser: nope",
    },
    {
        name: "tool choice without a parser",
        words: ["--enable-auto-tool-choice"],
        code: 1,
        says: "--enable-auto-tool-choice requires --tool-call-parser",
    },
    {
        name: "a revision that is not in the hub",
        words: ["--revision", "0".repeat(40)],
        code: 1,
        says: "LocalEntryNotFoundError",
    },
    {
        name: "a model longer than its config allows",
        words: ["--max-model-len", "9999999"],
        code: 1,
        says: "User-specified max_model_len (9999999) is greater than the derived max_model_len",
    },
];

/** Runs the table: tests/vllm/ends.py. */
export const program = readFileSync(path.join(__dirname, "ends.py"), "utf8");

/** The command lines for a model, as the program takes them. */
export function commandLines(model: string): string {
    const group = [
        ...["--tensor-parallel-size", "2", "--nnodes", "2", "--node-rank", "0"],
        ...["--master-addr", "127.0.0.1", "--master-port", "29501", "--port", "8000"],
    ];
    return JSON.stringify(ends.map(({ words }) => [model, ...group, ...words]));
}

/** How each command line ended; what it said only as far as the table asks. */
export function readEnds(printed: string): readonly (readonly [string, number | null, string])[] {
    const last = printed.trimEnd().split("\n").at(-1) ?? "[]";
    const seen = JSON.parse(last) as { code: number | null; output: string }[];
    return ends.map(({ name, says }, index) => {
        const { code, output } = seen[index] ?? { code: null, output: "" };
        return [name, code, output.includes(says) ? says : output.slice(-600)];
    });
}

/** The table as `readEnds` gives it when all is as expected. */
export const expected = ends.map(({ name, code, says }) => [name, code, says]);
