import * as duplicate from "../../components/recipe/rules/duplicateFlags";
import * as fields from "../../components/recipe/rules/fieldsAgainstArguments";
import * as values from "../../components/recipe/rules/flagValues";
import * as whole from "../../components/recipe/rules/flagsAreWhole";
import * as json from "../../components/recipe/rules/jsonArguments";
import * as managed from "../../components/recipe/rules/managedFlags";
import * as secret from "../../components/recipe/rules/secretArguments";
import * as stray from "../../components/recipe/rules/strayWords";
import * as tools from "../../components/recipe/rules/toolParser";
import * as unknown from "../../components/recipe/rules/unknownFlags";
import { table } from "./rulesFixture";

table(stray.strayWords, "strayWords", [
    ["a value after a switch", { args: '"--enforce-eager", "1"' }, ["bad-value args[1]"]],
    ["a second value", { args: '"--seed", "1", "2"' }, ["bad-value args[2]"]],
    ["a value alone", { args: '"org/m"' }, ["bad-value args[0]"]],
    ["flag and value in one", { args: '"--seed 1"' }, ["bad-value args[0]"]],
    [
        "flag and value in one behind a list",
        { args: '"--served-model-name", "a", "--seed 1"' },
        ["bad-value args[2]"],
    ],
    ["a false dash takes its value along", { args: '"—seed", "1"' }, ["bad-value args[0]"]],
    ["list values are none", { args: '"--served-model-name", "a", "b"' }, []],
]);
table(whole.flagsAreWhole, "flagsAreWhole", [
    ["no value at the end", { args: '"--seed"' }, ["bad-value args[0]"]],
    ["a flag instead of the value", { args: '"--seed", "--enforce-eager"' }, ["bad-value args[0]"]],
    [
        "a negative decimal is none to the engine",
        { args: '"--video-pruning-rate", "-0.5"' },
        ["bad-value args[0]", "bad-value args[1]"],
    ],
    ["it is behind an equals sign", { args: '"--video-pruning-rate=-0.5"' }, []],
    ["a secret without a value", { args: '"--api-key"' }, ["bad-value args[0]"]],
    ["a negative number is a value", { args: '"--seed", "-1"' }, []],
    ["an empty value is one", { args: '"--reasoning-parser", ""' }, []],
    ["a value may be missing", { args: '"--hf-token"' }, []],
    ["a switch with a value", { args: '"--enforce-eager=1"' }, ["bad-value args[0]"]],
    ["the beginning of several", { args: '"--kv-cache", "1"' }, ["bad-value args[0]"]],
    ["two hyphens alone", { args: '"--"' }, ["bad-value args[0]"]],
    ["a part of no JSON", { args: '"--seed.x", "1"' }, ["bad-value args[0]"]],
    ["help", { args: '"-h"' }, ["bad-value args[0]"]],
    ["a character that nobody sees", { args: '"--seed\u200b", "1"' }, ["bad-value args[0]"]],
]);
table(managed.managedFlags, "managedFlags", [
    [
        "long, short, joined",
        { args: '"--host", "x", "-n2", "-r=0"' },
        ["managed-flag args[0]", "managed-flag args[2]", "managed-flag args[3]"],
    ],
    [
        "beginnings",
        { args: '"--nnode", "2", "--master", "x"' },
        ["managed-flag args[0]", "managed-flag args[2]"],
    ],
    [
        "underscores and capitals",
        { args: '"--master_port=1", "--Headless"' },
        ["managed-flag args[0]", "managed-flag args[1]"],
    ],
    ["longer names are others", { args: '"--api-server-count", "1", "--hf-config-path", "x"' }, []],
]);
table(duplicate.duplicateFlags, "duplicateFlags", [
    ["the same spelling", { args: '"--seed", "1", "--seed", "1"' }, ["conflict args[2]"]],
    [
        "alias, beginning, underscore",
        {
            args: '"-q", "a", "--quantization", "b", "--gpu-memory", "0.5", "--device_memory_utilization=1"',
        },
        ["conflict args[2]", "conflict args[6]"],
    ],
    ["on and off", { args: '"--enforce-eager", "--no-enforce-eager"' }, ["conflict args[1]"]],
    ["an object and a part of it", { args: '"-cc", "{}", "-cc.a", "1"' }, ["conflict args[2]"]],
    ["two parts", { args: '"-cc.a", "1", "-cc.b", "1"' }, []],
    ["parts of a list", { args: '"-cc.a+", "1", "-cc.a+", "1"' }, []],
    ["collected by the engine", { args: '"--middleware", "a", "--middleware", "b"' }, []],
]);
table(values.flagValues, "flagValues", [
    [
        "whole numbers",
        { args: '"--seed", "1_000", "--max-num-seqs", "1.5"' },
        ["bad-value args[3]"],
    ],
    ["sizes", { args: '"--max-model-len", "AUTO", "--max-num-batched-tokens", "25.6k"' }, []],
    ["no decimals of 1024", { args: '"--max-model-len", "1.5K"' }, ["bad-value args[1]"]],
    ["numbers", { args: '"--gpu-memory-utilization", "8e-1"' }, []],
    ["closed choices", { args: '"--dtype", "fp8"' }, ["bad-value args[1]"]],
    [
        "backends are open",
        { args: '"--moe-backend", "mine", "--linear-backend", "B12X"' },
        ["unknown-flag args[1]"],
    ],
    ["attention backends are known by name", { args: '"--attention-backend", "flashinfer"' }, []],
    ["None where the engine takes it", { args: '"--max-num-active-seqs", "None"' }, []],
    [
        "each word of a list",
        { args: '"--cudagraph-capture-sizes", "1", "two", "4"' },
        ["bad-value args[2]"],
    ],
]);
table(json.jsonArguments, "jsonArguments", [
    ["an object", { args: `"-sc", '{"a":1}'` }, []],
    ["Python's", { args: `"-sc", "{'a':1}"` }, ["bad-json args[1]"]],
    ["quotes twice", { args: `"-sc", "''{}''"` }, ["bad-json args[1]"]],
    ["JSON in a JSON string", { args: `"-sc", '"{}"'` }, ["bad-json args[1]"]],
    ["text where text may be", { args: '"--hf-overrides", "a.b"' }, []],
    ["broken where JSON may be", { args: '"--hf-overrides", "{a}"' }, ["bad-json args[1]"]],
    ["a part is any text", { args: '"-sc.method", "mtp"' }, []],
]);
table(secret.secretArguments, "secretArguments", [
    [
        "by flag",
        { args: '"--api_key=x", "--hf-tok", "y"' },
        ["secret-in-recipe args[0]", "secret-in-recipe args[1]"],
    ],
    ["by a fork's flag", { args: '"--auth-token", "x"' }, ["secret-in-recipe args[0]"]],
    ["by form", { args: '"--root-path", "https://me:pass@host/"' }, ["secret-in-recipe args[1]"]],
    [
        "inside JSON",
        { args: `"--kv-transfer-config", '{"a":{"api_key":"x"}}'` },
        ["secret-in-recipe args[1]"],
    ],
    ["words of a model are none", { args: `"--hf-overrides", '{"eos_token":"</s>"}'` }, []],
    ["the token of the cache is none", { args: '"--hf-token"' }, []],
]);
table(unknown.unknownFlags, "unknownFlags", [
    ["a fork's", { args: '"--fork", "1"' }, ["unknown-flag args[0]"]],
    ["a managed one is not unknown", { args: '"--no-headless"' }, []],
]);
table(fields.fieldsAgainstArguments, "fieldsAgainstArguments", [
    ["equal", { args: '"-tp", "2", "-pp=1", "--model", "org/m"' }, []],
    [
        "executor by default",
        { args: '"--distributed-executor-backend", "ray"' },
        ["conflict args[1]"],
    ],
    [
        "sizes, model, revision",
        { args: '"-tp=4", "--pipeline-parallel", "2", "--model", "o/x", "--revision", "main"' },
        ["conflict args[0]", "conflict args[2]", "conflict args[4]", "conflict args[6]"],
    ],
]);
table(tools.toolParser, "toolParser", [
    ["both", { args: '"--tool-call-parser", "hermes", "--enable-auto-tool-choice"' }, []],
    ["the switch alone", { args: '"--enable-auto-tool-choice"' }, ["conflict args[0]"]],
    ["the parser alone", { args: '"--tool-call-parser", "hermes"' }, ["ineffective args[0]"]],
]);
