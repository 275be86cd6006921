// Who may import whom: one way, as in the walk (CONTRIBUTING.md). Folders name each other by their index alone.
const folders = {
    recipe: { may: ["issue"] },
    cluster: { may: ["issue", "recipe"] },
    image: { may: ["issue", "writing", "recipe"] },
    plan: { may: ["issue", "recipe", "cluster", "image"] },
    // They declare and run what the plan holds; nothing is decided there, so the plan's types are enough. The
    // functions take in what the engine alone tells while it runs (what served before, what an image holds); the names
    // are the plan's.
    resources: {
        may: [],
        types: ["plan"],
        but: [
            ...["addJitRecord", "describeJit", "describeReplacement"],
            ...["groupNames", "jitStamp", "summariseRanks"],
        ],
        pulumi: true,
    },
    host: { may: ["issue", "writing", "cluster"], types: ["plan"] },
};

/** No clock, no chance, no disk, no network: the same input gives the same plan. */
const pureFiles = ["components/issue.ts", "components/{recipe,cluster,plan}/**/*.ts"];

const pulumi = {
    regex: "^@pulumi/",
    message: "Only index.ts and components/resources know Pulumi.",
};

/** Imports of ours other than the folder's own files (`up` steps below it) and those named. */
function othersThan({ prefix, may }) {
    const allowed = may.length === 0 ? "" : `(?!(${may.join("|")})$)`;
    return {
        regex: `^${prefix.replaceAll(".", "\\.")}${allowed}`,
        message: `This folder may import ${may.join(", ") || "nothing of ours"}, by the folder's name.`,
    };
}

function restrict(name, files, patterns) {
    return { name, files, rules: { "no-restricted-imports": ["error", { patterns }] } };
}

/** One block for the folder's own files, one for those of its subfolders. */
function blocksOf([folder, { may, types = [], but = [], pulumi: knowsPulumi = false }]) {
    return [
        { files: [`components/${folder}/*.ts`], prefix: "../" },
        { files: [`components/${folder}/*/*.ts`], prefix: "../../" },
    ].map(({ files, prefix }) =>
        restrict(`layer ${folder}`, files, [
            othersThan({ prefix, may: [...may, ...types] }),
            ...types.map((type) => ({
                regex: `^${prefix.replaceAll(".", "\\.")}${type}$`,
                allowTypeImports: true,
                ...(but.length === 0 ? {} : { allowImportNames: but }),
                message: `This folder may import ${type}'s types alone.`,
            })),
            ...(knowsPulumi ? [] : [pulumi]),
            ...(isPure(folder) ? impureModules : []),
        ]),
    );
}

const isPure = (folder) => ["recipe", "cluster", "plan"].includes(folder);

const impureModules = [
    {
        regex: "^(node:)?(fs|child_process|process|os|net|tls|https?|http2|dns|dgram|timers|worker_threads|readline|perf_hooks)(/|$)",
        message: "This folder is pure: its callers read files, time and the environment.",
    },
    {
        group: ["crypto", "node:crypto"],
        importNames: ["randomBytes", "randomInt", "randomUUID", "webcrypto"],
        message: "This folder is pure: the same input gives the same result.",
    },
];

export const layers = [
    // Of two blocks for a file the later one holds: issue.ts after the files beside it.
    restrict(
        "layer walk",
        ["components/*.ts"],
        [
            { regex: "^\\./resources", message: "The walk ends in a plan; index.ts declares it." },
            { regex: "^\\./[^/]+/", message: "Import the folder, not a file of it." },
            pulumi,
        ],
    ),
    restrict(
        "layer issue",
        ["components/issue.ts"],
        [{ regex: "^\\.", message: "Issues know nothing of ours." }, pulumi, ...impureModules],
    ),
    ...Object.entries(folders).flatMap(blocksOf),
    restrict(
        "layer cli",
        ["cli/**/*.ts"],
        [
            {
                regex: "components/resources",
                message: "The command line works without an engine: it never declares resources.",
            },
            { regex: "components/[^/]+/", message: "Import the folder, not a file of it." },
            pulumi,
        ],
    ),
    {
        name: "pure",
        files: pureFiles,
        rules: {
            "no-restricted-globals": [
                "error",
                ..."process Date fetch performance crypto setTimeout setInterval setImmediate console"
                    .split(" ")
                    .map((name) => ({ name, message: "This folder is pure: pass it in." })),
            ],
            "no-restricted-properties": [
                "error",
                { object: "Math", property: "random", message: "This folder is pure." },
            ],
        },
    },
];
