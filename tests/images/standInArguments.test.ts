import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";

import { parse } from "smol-toml";

import { image } from "../standin/ranks";

/** What an argument check runs in a throw-away container: the image's own parser, by vLLM's own names. */
const check = `
import sys
from vllm.entrypoints.cli.serve import ServeSubcommand
from vllm.utils.argparse_utils import FlexibleArgumentParser
parser = FlexibleArgumentParser(prog="vllm")
serve = ServeSubcommand()
serve.subparser_init(parser.add_subparsers(dest="subparser"))
args = parser.parse_args(["serve", *sys.argv[2:]])
serve.validate(args)
print(repr(getattr(args, sys.argv[1])))
`;

function checkArguments(dest: string, args: readonly string[]) {
    const env = { PATH: process.env["PATH"], PYTHONPATH: image, PYTHONDONTWRITEBYTECODE: "1" };
    const run = spawnSync("python3", ["-c", check, dest, "some/model", ...args], { env });
    return { code: run.status, out: run.stdout.toString().trim(), error: run.stderr.toString() };
}

/** The recipe's arguments as a container gets them: the JSON without its shell quotes. */
function recipeArguments(): readonly string[] {
    const file = path.join(image, "../../recipes/dsv4-flash-vision/recipe.toml");
    const { args } = parse(fs.readFileSync(file, "utf8")) as { args: string[] };
    return args.map((arg) => arg.trim().replace(/^'(.*)'$/s, "$1"));
}

test("the recipe's whole command line is accepted", () => {
    expect(checkArguments("kv_cache_memory_bytes", recipeArguments())).toEqual({
        code: 0,
        out: "12884901888",
        error: "",
    });
});

test.each([
    ["a prefix", "kv_cache_memory_bytes", ["--kv-cache-memory", "64M"], "67108864"],
    ["underscores", "max_num_seqs", ["--max_num_seqs=4"], "4"],
    ["lower case as thousands", "max_model_len", ["--max-model-len", "8k"], "8000"],
    ["JSON", "limit_mm_per_prompt", ["--limit-mm-per-prompt", '{"image":8}'], "{'image': 8}"],
    [
        "a dotted key",
        "speculative_config",
        ["-sc.method", "dspark", "--speculative-config.n+", "3"],
        "{'n': [3]}",
    ],
    ["a list", "served_model_name", ["--served-model-name", "a", "b"], "['a', 'b']"],
    ["a switched-off flag", "enable_prefix_caching", ["--no-enable-prefix-caching"], "False"],
    ["a level", "optimization_level", ["-O3"], "'3'"],
])("%s is understood", (_, dest, args, value) => {
    expect(checkArguments(dest, args)).toEqual({ code: 0, out: value, error: "" });
});

test.each([
    [
        "an unknown flag",
        ["--no-such-flag", "1"],
        "vllm: error: unrecognized arguments: --no-such-flag 1",
    ],
    ["a bad number", ["--port", "abc"], "argument --port: invalid int value: 'abc'"],
    [
        "a bad choice",
        ["--kv-cache-dtype", "nope"],
        "argument --kv-cache-dtype: invalid choice: 'nope' (choose from",
    ],
    [
        "broken JSON",
        ["--speculative-config", '{"method":'],
        'argument --speculative-config/-sc: Value {"method": cannot be converted to <function loads at 0x',
    ],
    [
        "JSON in shell quotes",
        ["--speculative-config", `\n'{"a":1}'`],
        "cannot be converted to <function loads",
    ],
    ["an ambiguous prefix", ["--kv-cache", "1"], "ambiguous option: --kv-cache could match"],
])("%s ends with code 2", (_, args, words) => {
    const { code, out, error } = checkArguments("port", args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(error).toContain("usage: vllm");
    expect(error).toContain(words);
});

test("tool choice without a parser is refused", () => {
    const { code, error } = checkArguments("port", ["--enable-auto-tool-choice"]);
    expect(code).toBe(1);
    expect(error).toContain("Error: --enable-auto-tool-choice requires --tool-call-parser");
});
