import { findFlag } from "../../components/recipe/args/findFlag";
import { jsonProblem } from "../../components/recipe/args/jsonProblem";
import { plainJson } from "../../components/recipe/args/plainJson";
import { readArgs } from "../../components/recipe/args/readArgs";
import { unquote } from "../../components/recipe/args/unquote";

const nameOf = (word: string) => {
    const found = findFlag(word);
    return found.kind === "flag"
        ? [found.flag.name, found.attached].filter((part) => part !== undefined)
        : found.kind;
};

test.each([
    ["--max-model-len", ["--max-model-len"]],
    ["--max_model_len", ["--max-model-len"]],
    ["--max_model-len=8k", ["--max-model-len", "8k"]],
    ["--kv-cache-memory", ["--kv-cache-memory-bytes"]],
    ["--kv-cache", "ambiguous"],
    ["-tp", ["--tensor-parallel-size"]],
    ["-tp=2", ["--tensor-parallel-size", "2"]],
    ["-n2", ["--nnodes", "2"]],
    ["-O3", ["--optimization-level", "3"]],
    ["-O=3", ["--optimization-level", "3"]],
    ["-q", ["--quantization"]],
    ["-ep", ["--enable-expert-parallel"]],
    ["--no-enable-prefix-caching", ["--enable-prefix-caching"]],
    ["--device-memory-utilization", ["--gpu-memory-utilization"]],
    ["--speculative-config.method", ["--speculative-config"]],
    ["-sc.method", ["--speculative-config"]],
    ["--fork", "unknown"],
    ["--", "unknown"],
    ["-", "value"],
    ["-1", "value"],
    ["-0.5", "unknown"],
    ["-s=1", "unknown"],
    ["-s", ["--speculative-config"]],
    ["8192", "value"],
    ["", "value"],
    ["--max-model-len 8192", "value"],
    ['{"--a": 1}', "value"],
])("%s is %j to the engine's parser", (word, expected) => {
    expect(nameOf(word)).toEqual(expected);
});

test("flags take the words that the engine would give them", () => {
    const args = [
        "--served-model-name",
        "a",
        "b",
        "--enforce-eager",
        "x",
        "--seed",
        "-1",
        "--hf-token",
        "--fork",
        "1",
        "2",
        "-O",
        "3",
    ];
    const { given, stray } = readArgs(args);
    expect(given.map(({ name, values }) => [name, ...values.map(({ text }) => text)])).toEqual([
        ["--served-model-name", "a", "b"],
        ["--enforce-eager"],
        ["--seed", "-1"],
        ["--hf-token"],
        ["--fork", "1", "2"],
        ["--optimization-level", "3"],
    ]);
    expect(stray.map(({ word, after }) => [word.index, after?.name])).toEqual([
        [4, "--enforce-eager"],
    ]);
});

test.each([
    ["'{}'", "{}"],
    ["\n'{\"a\":1}'\n", '{"a":1}'],
    ["''{}''", "'{}'"],
    ["'", undefined],
    ["{}", undefined],
    ['"{}"', undefined],
    ["'{}", undefined],
])("shell quotes of %j", (word, inner) => {
    expect(unquote(word)).toBe(inner);
});

test.each([
    [
        ["--speculative-config", "'{}'"],
        ["--speculative-config", "{}"],
    ],
    [["--speculative-config='{}'"], ["--speculative-config={}"]],
    [
        ["-sc", "\n'{'"],
        ["-sc", "{"],
    ],
    [
        ["--hf-overrides", "'{}'"],
        ["--hf-overrides", "{}"],
    ],
    [
        ["--hf-overrides", "'text'"],
        ["--hf-overrides", "'text'"],
    ],
    [
        ["--fork-config", "'[1]'"],
        ["--fork-config", "[1]"],
    ],
    [
        ["--chat-template", "'{}'"],
        ["--chat-template", "'{}'"],
    ],
    [
        ["--speculative-config.method", "'{}'"],
        ["--speculative-config.method", "'{}'"],
    ],
])("%j arrives as %j", (args, expected) => {
    expect(plainJson(args)).toEqual(expected);
});

test.each([
    ['{"a":[1,-2.5e3,"\\u00e9",true,null]} ', undefined],
    ["[NaN, -Infinity]", undefined],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ["{", 1],
    ["", 0],
    ['{"a" 1}', 5],
    ['{"a":01}', 6],
    ['{"a":"x\ny"}', 7],
    ['{"a":"\\x"}', 6],
    ["{} {}", 3],
    ["[True]", 1],
])("JSON %j fails at %s", (text, offset) => {
    expect(jsonProblem(text)?.offset).toBe(offset);
});
