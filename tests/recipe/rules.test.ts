import * as environment from "../../components/recipe/rules/environment";
import * as caches from "../../components/recipe/rules/localCaches";
import * as pinned from "../../components/recipe/rules/modelIsPinned";
import * as mounts from "../../components/recipe/rules/mounts";
import * as plain from "../../components/recipe/rules/plainText";
import * as ranks from "../../components/recipe/rules/ranksFitNodes";
import * as memory from "../../components/recipe/rules/sharedMemory";
import type { Finding } from "../../components/recipe/finding";
import { at, draftOf, env, mount, table } from "./rulesFixture";

table(ranks.ranksFitNodes, "ranksFitNodes", [
    ["one rank a node", {}, []],
    ["stages count", { top: "pipeline_parallel_size = 2" }, ["conflict tensor_parallel_size"]],
    ["data parallel ranks count", { args: '"-dp", "2"' }, ["conflict args[1]"]],
    ["one data parallel rank is none", { args: '"-dp=1"' }, []],
]);
test.each([
    ["org/m", "", ["unpinned-model model"]],
    ["/models/m", "", []],
    ["org/m", '"--revision", "0123456789abcdef0123456789abcdef01234567"', []],
    ["org/m", '"--revision=main"', ["unpinned-model model"]],
])("modelIsPinned: %s with [%s]", (model, args, expected) => {
    const draft = draftOf({ args });
    const { model_revision: pin, ...fields } = draft.fields;
    const unpinned = { ...draft, fields: { ...fields, model } };
    const name = ({ code, at: path }: Finding) => `${code} ${path.join(".")}`;
    expect(pinned.modelIsPinned(unpinned).map(name)).toEqual(expected);
    expect(
        pinned.modelIsPinned({ ...unpinned, fields: { ...fields, model, model_revision: pin! } }),
    ).toEqual([]);
});
table(memory.sharedMemory, "sharedMemory", [
    ["none", {}, []],
    ["said to be inert", { top: 'shm_size = "32gb"' }, ["ineffective shm_size"]],
    ["beyond 2^53", { top: 'shm_size = "9999999999999999gb"' }, ["bad-value shm_size"]],
]);
table(plain.noNul, "noNul", [
    ["in an argument", { args: '"--x", "a\\u0000"' }, ["bad-value args[1]"]],
    ["in a variable", env('A = "\\u0000"'), ["bad-value env.A"]],
]);
table(plain.secretFields, "secretFields", [
    [
        "a token as a folder",
        { top: 'docker_image_dir = "hf_abcdefghijklmnopqrst"' },
        ["secret-in-recipe docker_image_dir"],
    ],
]);
table(environment.variableNames, "variableNames", [
    [
        "odd names",
        env('"A B" = "1"', '1A = "1"', '_a1 = "1"'),
        ['bad-value env."A B"', "bad-value env.1A"],
    ],
]);
table(environment.managedVariables, "managedVariables", [
    [
        "the engine's and the fabric's",
        env(
            'VLLM_PORT = ""',
            'UCX_NET_DEVICES = "x"',
            'NVSHMEM_HCA_LIST = "x"',
            'VLLM_NIXL_SIDE_CHANNEL_HOST = "x"',
        ),
        [
            "managed-env env.VLLM_PORT",
            "managed-env env.UCX_NET_DEVICES",
            "managed-env env.NVSHMEM_HCA_LIST",
            "managed-env env.VLLM_NIXL_SIDE_CHANNEL_HOST",
        ],
    ],
    [
        "tuning that names no device",
        env(
            'NCCL_DEBUG = "INFO"',
            'NCCL_IB_TIMEOUT = "22"',
            'NCCL_IB_QPS_PER_CONNECTION = "4"',
            'NCCL_NET = "IB"',
            'NCCL_IB_DISABLE = "0"',
        ),
        [],
    ],
    [
        "TCP in disguise",
        env('NCCL_NET = "Socket"', 'NCCL_IB_DISABLE = "1"'),
        ["managed-env env.NCCL_NET", "managed-env env.NCCL_IB_DISABLE"],
    ],
]);
table(environment.secretVariables, "secretVariables", [
    [
        "by name",
        env('HF_TOKEN = "x"', 'AWS_SECRET_ACCESS_KEY = "x"', 'MY_PASSWORD = "x"'),
        [
            "secret-in-recipe env.HF_TOKEN",
            "secret-in-recipe env.AWS_SECRET_ACCESS_KEY",
            "secret-in-recipe env.MY_PASSWORD",
        ],
    ],
    ["by form", env('A = "Bearer abcdefghijklmnopqrst"'), ["secret-in-recipe env.A"]],
    [
        "names that only end alike",
        env(
            'VLLM_USE_FASTOKENS = "1"',
            'HF_HUB_DISABLE_IMPLICIT_TOKEN = "1"',
            'VLLM_MAX_BAD_WORDS_TOTAL_TOKENS = "1"',
            'TOKENIZERS_PARALLELISM = "0"',
        ),
        [],
    ],
]);
table(environment.unknownVariables, "unknownVariables", [
    [
        "slips one by one, a fork's together",
        env('VLLM_A_B = "1"', 'VLLM_USE_DEEP_GEM = "1"', 'VLLM_C_D = "1"', 'OTHER = "1"'),
        ["unknown-flag env.VLLM_USE_DEEP_GEM", "unknown-flag env.VLLM_A_B"],
    ],
]);
table(mounts.mountPaths, "mountPaths", [
    ["good ones", mount(at("~", "/a"), at("~/x y", "/b"), at("/c", "/c")), []],
    [
        "host paths",
        mount(
            at("x", "/a"),
            at("~me/x", "/b"),
            at("$HOME/x", "/c"),
            at("/x/..", "/d"),
            at("/a:ro", "/e"),
            at("/a,b", "/f"),
        ),
        [0, 1, 2, 3, 4, 5].map((i) => `bad-mount extra_mounts[${String(i)}].host`),
    ],
    [
        "container paths",
        mount(at("~", "a"), at("~", "~/a"), at("~", "/"), at("~", "/dev/shm"), at("~", "/a/../b")),
        [0, 1, 2, 3, 4].map((i) => `bad-mount extra_mounts[${String(i)}].container`),
    ],
]);
table(mounts.mountTargets, "mountTargets", [
    [
        "one path twice",
        mount(at("~/a", "/x/"), at("~/b", "//x")),
        ["conflict extra_mounts[1].container"],
    ],
    ["one below the other", mount(at("~/a", "/x"), at("~/b", "/x/y")), []],
]);
table(mounts.mountVariables, "mountVariables", [
    [
        "two mounts",
        mount(at("~/a", "/a", ', env = "A"'), at("~/b", "/b", ', env = "A"')),
        ["conflict extra_mounts[1].env"],
    ],
    [
        "against [env]",
        { ...mount(at("~/a", "/a", ', env = "A"')), ...env('A = "/b"') },
        ["conflict extra_mounts[0].env"],
    ],
    ["equal to [env]", { ...mount(at("~/a", "/a", ', env = "A"')), ...env('A = "/a"') }, []],
]);
table(caches.localCaches, "localCaches", [
    [
        "on the hub's share",
        mount(
            at("/mnt/nas/hub", "/hub", ', env = "HF_HOME"'),
            at("/mnt/nas/jit", "/root/.cache/vllm"),
        ),
        ["bad-mount extra_mounts[1].host"],
    ],
    [
        "on a share by name",
        mount(at("/data/nfs/triton", "/root/.triton")),
        ["bad-mount extra_mounts[0].host"],
    ],
    [
        "by a variable",
        {
            ...mount(at("/mnt/nas/hub", "/hub", ', env = "HF_HOME"')),
            ...env('TRITON_CACHE_DIR = "/hub/triton"'),
        },
        ["bad-mount env.TRITON_CACHE_DIR"],
    ],
    [
        "read only",
        mount(at("~/t", "/root/.triton", ", read_only = true")),
        ["bad-mount extra_mounts[0].read_only"],
    ],
    [
        "on the node",
        mount(at("/var/cache/t", "/root/.triton"), at("/mnt/nas/hub", "/hub", ', env = "HF_HOME"')),
        [],
    ],
]);
