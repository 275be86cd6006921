import { type ConfigIssue, nearest, show } from "./configIssues";
import type { ClusterConfig } from "./schema";
import { nasFits } from "./nasFits";
import { nodeNamesAreFree } from "./nodeNamesAreFree";
import { notBuiltYet } from "./notBuilt";
import { rules } from "./rules";

type ConfigRule = (config: ClusterConfig) => readonly ConfigIssue[];

const variableReasons: readonly (readonly [pattern: RegExp, expected: string])[] = [
    [/^VLLM_HOST_IP$/, "the program sets it from fabric.address"],
    [/^(?:NCCL|GLOO|TP)_SOCKET_IFNAME$/, "the program sets it from fabric.interface"],
    [/^NCCL_IB_HCA$/, "the program sets it from fabric.hcas"],
    [/^NCCL_(?:NET|IB_ADDR_FAMILY)$/, "the program sets it"],
    [
        /^NCCL_IB_GID_INDEX$/,
        "no index: NCCL finds the RoCE v2 entry itself, a fixed one breaks when the table shifts",
    ],
    [/^VLLM_PORT$/, "no such variable: it is a base for inner sockets; the API's port is api.port"],
    [/^(?:HF_TOKEN|HUGGING_FACE_HUB_TOKEN|HUGGINGFACE_TOKEN)$/, "the secret huggingFaceToken"],
    [/^VLLM_API_KEY$/, "the secret apiKey"],
];

/** Two nodes with the same `what` are one machine, or one name for two. */
function twice(
    config: ClusterConfig,
    key: string,
    what: string,
    get: (node: ClusterConfig["nodes"][number]) => string | undefined,
): readonly ConfigIssue[] {
    const values = config.nodes.map(get);
    return values.flatMap((value, i) => {
        const first = values.indexOf(value);
        if (value === undefined || first === i) return [];
        return [
            {
                path: `nodes[${String(i)}].${key}`,
                problem: `${JSON.stringify(value)} is also the ${what} of nodes[${String(first)}]`,
                expected: "each machine once",
            },
        ];
    });
}

const nodesDiffer: ConfigRule = (config) => [
    ...twice(config, "name", "name", (node) => node.name),
    ...twice(config, "host", "host", (node) => node.host),
    ...twice(config, "fabric.address", "fabric address", (node) => node.fabric?.address),
];

const portsAreInRange: ConfigRule = (config) =>
    config.nodes.flatMap((node, i) => {
        const port = Number(/:(\d+)$/.exec(node.host)?.[1] ?? 22);
        return port <= 65535
            ? []
            : [
                  {
                      path: `nodes[${String(i)}].host`,
                      problem: `"${node.host}" has port ${String(port)}`,
                      expected: "a port from 1 to 65535",
                  },
              ];
    });

const fabricIsNoLoopback: ConfigRule = (config) =>
    config.nodes.flatMap((node, i) =>
        node.fabric !== undefined &&
        /^(?:0|127|22[4-9]|23\d|24\d|25[0-5])\./.test(node.fabric.address)
            ? [
                  {
                      path: `nodes[${String(i)}].fabric.address`,
                      problem: `"${node.fabric.address}" leads to no other machine`,
                      expected: "this node's own address on the fabric, e.g. 10.100.9.1",
                  },
              ]
            : [],
    );

const hcasDiffer: ConfigRule = (config) =>
    config.nodes.flatMap((node, i) => {
        const hcas = node.fabric?.hcas ?? [];
        return hcas.flatMap((hca, k) =>
            hcas.indexOf(hca) === k
                ? []
                : [
                      {
                          path: `nodes[${String(i)}].fabric.hcas[${String(k)}]`,
                          problem: `"${hca}" stands there twice`,
                          expected: "each device once",
                      },
                  ],
        );
    });

const variablesAreFree: ConfigRule = (config) =>
    config.nodes.flatMap((node, i) =>
        Object.keys(node.env).flatMap((name) =>
            variableReasons
                .filter(([pattern]) => pattern.test(name))
                .map(([, expected]) => ({
                    path: `nodes[${String(i)}].env.${name}`,
                    problem: "set for a node",
                    expected,
                    fix: "remove the line",
                })),
        ),
    );

const apiIsNotOpenByAccident: ConfigRule = ({ api, apiKey }) =>
    api.bind.startsWith("127.") || apiKey !== undefined || api.open
        ? []
        : [
              {
                  path: "api.bind",
                  problem: `${api.bind} lets anyone who reaches the head use the API without a key`,
                  expected: "127.0.0.1, or a key, or the word that it is meant so",
                  fix: "pulumi config set --secret apiKey, or api.open: true",
              },
          ];

const portsDiffer: ConfigRule = ({ api, masterPort }) =>
    api.port === masterPort
        ? [
              {
                  path: "masterPort",
                  problem: `${String(masterPort)} is also api.port`,
                  expected: "two ports of the head",
              },
          ]
        : [];

const loginIsWhole: ConfigRule = ({ image, registryPassword }) => {
    if ((image.registry === undefined) === (registryPassword === undefined)) return [];
    return image.registry === undefined
        ? [
              {
                  path: "registryPassword",
                  problem: "set, but image.registry does not say where and whose it is",
                  expected: "image.registry with server and username beside it",
              },
          ]
        : [
              {
                  path: "image.registry",
                  problem: `no password for ${image.registry.username}`,
                  expected: "the secret registryPassword beside it",
                  fix: "pulumi config set --secret registryPassword",
              },
          ];
};

/** A rule that does not exist suppresses nothing: what was meant would still stop the stack. */
const ignoredRulesExist: ConfigRule = ({ checks }) => {
    const ids = rules.map(({ id }) => id);
    return checks.ignore.flatMap(({ id }, i) => {
        const best = nearest(id, ids);
        return ids.includes(id)
            ? []
            : [
                  {
                      path: `checks.ignore[${String(i)}].id`,
                      problem: show(id),
                      expected:
                          "a rule's id, as `npm run spark -- doctor` shows it before the problem",
                      ...(best === undefined ? {} : { fix: `did you mean ${best}?` }),
                  },
              ];
    });
};

/** Every rule over a configuration that fits the schema; the list is the documentation. */
export const configRules: readonly ConfigRule[] = [
    nodesDiffer,
    nodeNamesAreFree,
    portsAreInRange,
    fabricIsNoLoopback,
    hcasDiffer,
    variablesAreFree,
    apiIsNotOpenByAccident,
    portsDiffer,
    loginIsWhole,
    ignoredRulesExist,
    nasFits,
    notBuiltYet,
];
