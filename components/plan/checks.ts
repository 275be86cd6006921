import { RecipeError, type Issue } from "../issue";
import { hubVariable, mountsOf, needsHome } from "./mounts";
import { flagValue, rankNodes, type PlanInput } from "./planInput";

type Problem = Pick<Issue, "path" | "problem" | "expected"> & { readonly fix?: string };
/** Contradictions between a recipe and a stack's configuration. */
type Check = (input: PlanInput) => readonly Problem[];

const plural = (n: number, word: string) => `${String(n)} ${word}${n === 1 ? "" : "s"}`;

const nodesFitRecipe: Check = ({ recipe, cluster }) => {
    const listed = rankNodes(cluster).length;
    if (listed === recipe.requiredNodes) return [];
    return [
        {
            path: "nodes",
            problem: `${plural(listed, "node")}, but required_nodes = ${String(recipe.requiredNodes)} in ${recipe.file}`,
            expected: `exactly ${plural(recipe.requiredNodes, "node")}, one for each rank`,
        },
    ];
};

const fabricIsKnown: Check = ({ recipe, cluster }) =>
    recipe.requiredNodes === 1
        ? []
        : cluster.nodes.flatMap((node, i) =>
              node.spare !== undefined || node.fabric !== undefined
                  ? []
                  : [
                        {
                            path: `nodes[${String(i)}].fabric`,
                            problem: `missing for ${node.name}`,
                            expected: `what leads to the other nodes: ${recipe.slug} runs on ${String(recipe.requiredNodes)}`,
                            fix: "`npm run spark -- discover --stack NAME --write` finds and writes it",
                        },
                    ],
          );

const halfOf = (address: string) => address.split(".").slice(0, 2).join(".");

/** The prefix is a fact of the nodes; addresses that differ in their first half are never one subnet of a fabric. */
const fabricIsOneSubnet: Check = ({ cluster }) => {
    const head = rankNodes(cluster)[0]?.fabric;
    return cluster.nodes.flatMap(({ fabric }, i) =>
        head === undefined ||
        fabric === undefined ||
        halfOf(fabric.address) === halfOf(head.address)
            ? []
            : [
                  {
                      path: `nodes[${String(i)}].fabric.address`,
                      problem: `${fabric.address} is not in the subnet of the head's ${head.address}`,
                      expected: "addresses of one subnet on all nodes",
                  },
              ],
    );
};

const mtusAreEqual: Check = ({ cluster }) => {
    const head = rankNodes(cluster)[0]?.fabric;
    return cluster.nodes.flatMap(({ fabric }, i) =>
        head === undefined || fabric === undefined || fabric.mtu === head.mtu
            ? []
            : [
                  {
                      path: `nodes[${String(i)}].fabric.mtu`,
                      problem: `${String(fabric.mtu)}, the head has ${String(head.mtu)}`,
                      expected: "the same MTU at both ends",
                  },
              ],
    );
};

const homesAreKnown: Check = ({ recipe, cluster }) =>
    cluster.nodes.flatMap((node, i) => {
        const mount = mountsOf(recipe, cluster, node).find(needsHome);
        if (node.home !== undefined || mount === undefined) return [];
        return [
            {
                path: `nodes[${String(i)}].home`,
                problem: `missing: ${mount.host} is mounted, and the alias "${node.destination}" does not tell whose home ~ is`,
                expected: "the login user's home on that node, e.g. /home/nvidia",
                fix: `ssh ${node.destination} 'echo $HOME' prints it`,
            },
        ];
    });

const mountsDiffer: Check = ({ recipe, cluster }) =>
    cluster.nodes.flatMap((node, i) => {
        const targets = mountsOf(recipe, cluster, node).map((mount) => mount.container);
        const own = targets.length - node.mounts.length;
        return targets.flatMap((target, k) =>
            k < own || targets.indexOf(target) === k
                ? []
                : [
                      {
                          path: `nodes[${String(i)}].mounts[${String(k - own)}].container`,
                          problem: `${target} is mounted already`,
                          expected: "each directory of the container once",
                      },
                  ],
        );
    });

const revisionsAgree: Check = ({ recipe, cluster }) => {
    const written = flagValue(recipe.args, ["--revision"]);
    const { revision } = cluster.model;
    if (written === undefined || revision === undefined || written === revision) return [];
    return [
        {
            path: "model.revision",
            problem: `${revision}, but --revision ${written} stands in the arguments of ${recipe.file}`,
            expected: "one revision",
            fix: "remove --revision from the recipe's args",
        },
    ];
};

const hubHasPlace: Check = ({ recipe, cluster }) => {
    const { weights, nas } = cluster;
    const mounts = recipe.mounts.some(({ env }) => env === hubVariable);
    if (weights.path !== undefined || mounts) return [];
    const wanted = [
        ...(weights.prefetch ? ["weights.prefetch"] : []),
        ...(nas.manage === undefined ? [] : ["nas.manage"]),
    ];
    return wanted.map((path) => ({
        path,
        problem: `set, but ${recipe.file} mounts no directory as ${hubVariable}`,
        expected: "a hub's root on the nodes",
        fix: "set weights.path",
    }));
};

const checks: readonly Check[] = [
    nodesFitRecipe,
    fabricIsKnown,
    fabricIsOneSubnet,
    mtusAreEqual,
    homesAreKnown,
    mountsDiffer,
    revisionsAgree,
    hubHasPlace,
];

/** Throws RecipeError with all contradictions between recipe and configuration. */
export function checkPlan(input: PlanInput): void {
    const { file } = input.cluster;
    const issues = checks.flatMap((check) =>
        check(input).map((problem) => ({
            code: "bad-config" as const,
            severity: "error" as const,
            file,
            ...problem,
        })),
    );
    if (issues.length > 0) throw new RecipeError(issues);
}
