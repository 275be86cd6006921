import { checkFacts } from "../../components/cluster";
import {
    hubPath,
    plan,
    head,
    revision,
    base,
    folder,
    shard,
    command,
    worker,
    type Change,
    found,
    hub,
    snapshot,
} from "./rulesFixture";

test.each<[string, Change, readonly string[]]>([
    ["no model", hub({ state: "missing" }), [`weights weights-present: there is no ${folder}`]],
    [
        "model outside hub/",
        hub({ state: "misplaced" }),
        [
            `weights weights-present: there is no ${folder}, but the model lies right below the hub's root`,
        ],
    ],
    [
        "newline",
        hub({ main: `${revision}\n` }),
        [`weights weights-refs: ${folder}/refs/main holds a newline (U+000A)`],
    ],
    [
        "CRLF",
        hub({ main: `${revision}\r\n` }),
        [`weights weights-refs: ${folder}/refs/main ends with CRLF (U+000D U+000A)`],
    ],
    ["empty", hub({ main: "" }), [`weights weights-refs: ${folder}/refs/main is empty`]],
    [
        "snapshot missing for main, another one pinned",
        hub({ main: "c0ffee" }),
        [
            `warning weights weights-refs: ${folder}/refs/main names c0ffee, which is not among the snapshots (${revision})`,
        ],
    ],
    [
        "pinned revision missing",
        () => {
            return { hub: { state: "present", folder, main: "abc", snapshots: ["abc"] } };
        },
        [
            `weights weights-revision: there is no snapshot ${revision} of acme/thinker; there are abc`,
        ],
    ],
    [
        "shard missing",
        snapshot({ names: base.hub!.snapshot!.names.filter((name) => name !== shard(2)) }),
        [
            `weights weights-shards: 1 of 3 shards are missing in ${folder}/snapshots/${revision}: ${shard(2)}`,
        ],
    ],
    [
        "broken link",
        snapshot({ sizes: { ...base.hub!.snapshot!.sizes, [shard(3)]: undefined as never } }),
        [
            `weights weights-links: 1 links of ${folder}/snapshots/${revision} lead nowhere: ${shard(3)}`,
        ],
    ],
    [
        "a shard shorter than its own header says, though the sum would do",
        snapshot({ sizes: { ...base.hub!.snapshot!.sizes, [shard(3)]: 40_000_000_099 } }),
        [
            `weights weights-whole: 1 shards in ${folder}/snapshots/${revision} are not whole: ${shard(3)} has 40000000099 bytes, its header says 40000000100`,
        ],
    ],
    [
        "cut download",
        snapshot({
            sizes: { ...base.hub!.snapshot!.sizes, [shard(3)]: 39_000_000_000 },
            wants: {},
        }),
        [
            "weights weights-size: the shards hold 110.8 GiB, the index says 111.8 GiB (119000000200 of 120000000000 bytes)",
        ],
    ],
])("weights: %s", (_, change, expected) => {
    expect(found(change)).toEqual(expected);
});

const prefetch = { weights: { location: "nas", path: hubPath, prefetch: true } } as const;

test.each<[string, Change, readonly string[]]>([
    [
        "no model",
        () => ({ hub: { state: "missing", folder, snapshots: [] } }),
        [`there is no ${folder}`],
    ],
    [
        "pinned revision missing",
        () => ({ hub: { state: "present", folder, snapshots: [] } }),
        [`there is no snapshot ${revision} of acme/thinker; there are none`],
    ],
    [
        "broken link",
        snapshot({ sizes: { ...base.hub!.snapshot!.sizes, [shard(3)]: undefined as never } }),
        [`1 links of ${folder}/snapshots/${revision} lead nowhere: ${shard(3)}`],
    ],
])("what the prefetch mends is a note: %s", (_, change, expected) => {
    const issues = checkFacts({ ...plan, ...prefetch }, [{ ...base, ...change(base) }], "g1");
    expect(issues.map(({ severity, problem }) => [severity, problem])).toEqual(
        expected.map((problem) => ["warning", problem]),
    );
    expect(issues[0]?.fix).toBe("`pulumi up` fetches it (weights.prefetch)");
});

test("a newline in refs/main is no matter of the prefetch", () => {
    expect(found(hub({ main: `${revision}\n` }), prefetch)).toEqual([
        `weights weights-refs: ${folder}/refs/main holds a newline (U+000A)`,
    ]);
});

test("missing weights: the fix is a key or one command with the pinned revision", () => {
    const facts = { ...base, ...hub({ state: "missing" })(base) };
    expect(checkFacts(plan, [facts], "g1")[0]?.fix).toBe(
        "set weights.prefetch: true, or on spark-1: `docker run --rm --network host -e HF_HUB_OFFLINE=0 -e HF_HOME=/hub " +
            `-v ${hubPath}:/hub --entrypoint python3 thinker:local-0123456789ab -c "from huggingface_hub import ` +
            `snapshot_download; snapshot_download('acme/thinker', revision='${revision}')"\``,
    );
});

test.each<[boolean, readonly string[]]>([
    [true, []],
    [false, [`bad-mount mount-exists: there is no ${hubPath}, and nvidia may not make it`]],
])("a local hub that the login user may make: %s", (writable, expected) => {
    const weights = { location: "local", path: hubPath, prefetch: true } as const;
    const local: Change = (facts) => ({
        paths: [{ path: hubPath, state: "missing", above: "/mnt", writable }, facts.paths[1]!],
        hub: { state: "missing", folder, snapshots: [] },
    });
    const errors = found(local, { weights }).filter((line) => !line.startsWith("warning"));
    expect(errors).toEqual(expected);
});

test("without a revision, refs/main decides", () => {
    const unpinned = { model: { id: "acme/thinker" } };
    expect(found(hub({ main: "c0ffee" }), unpinned)).toEqual([
        `weights weights-refs: ${folder}/refs/main names c0ffee, which is not among the snapshots (${revision})`,
    ]);
    const none: Change = () => ({ hub: { state: "present", folder, snapshots: [revision] } });
    expect(found(none)).toEqual([]);
    expect(found(none, unpinned)).toEqual([
        `weights weights-refs: there is no ${folder}/refs/main, which an engine without a revision follows`,
    ]);
});

test.each([
    [5, "bad-value speculative-tokens: num_speculative_tokens = 5, n_predict of acme/thinker is 3"],
    [6, undefined],
])("%i speculative tokens", (k, expected) => {
    const config = JSON.stringify({ method: "dspark", num_speculative_tokens: k });
    const node = { ...head, rank: { ...head.rank, command: [...command.slice(0, -1), config] } };
    expect(found(() => ({}), { nodes: [node, worker] })).toEqual(
        expected === undefined ? [] : [expected],
    );
});

test("the MHC kernel needs its epsilon", () => {
    const node = { ...head, rank: { ...head.rank, env: { VLLM_USE_B12X_MHC: "1" } } };
    expect(found(() => ({}), { nodes: [node, worker] })).toEqual([
        "bad-value mhc-epsilon: VLLM_USE_B12X_MHC = 1, but rms_norm_eps of acme/thinker is 1e-20",
    ]);
});

test.each([
    [["--load-format", "auto"], ["auto"]],
    [[], ["auto"]],
    [["--load_format=safetensors"], ["safetensors"]],
    [["--load-format", "instanttensor"], []],
])("a loader for a NAS: %j", (words, formats) => {
    const node = { ...head, rank: { ...head.rank, command: ["vllm", "serve", ...words] } };
    const loader = (planChange: object) =>
        found(() => ({}), { nodes: [node, worker], ...planChange }).filter((line) =>
            line.includes("loader-streams"),
        );
    expect(loader({})).toEqual(
        formats.map(
            (format) =>
                `warning ineffective loader-streams: the weights come over nfs4 with --load-format ${format}`,
        ),
    );
    expect(loader({ weights: { location: "local", path: "/srv/hub" } })).toEqual([]);
});
