import type { IssueCode, Severity } from "../issue";
import data from "./knownBad.json";
import { type Context, nothing, type Rule } from "./rulesContext";

/** A combination that is known to be bad, as the data file has it: any of `kernels`, or the sign. */
interface KnownBad {
    readonly id: string;
    readonly code: IssueCode;
    readonly severity: Severity;
    /** Whether it harms only groups of several nodes. */
    readonly groupsOnly?: boolean;
    /** Beginnings of kernel releases. */
    readonly kernels?: readonly string[];
    readonly sign: keyof typeof signs;
    /** `{kernel}` stands for the node's own. */
    readonly problem: string;
    readonly expected: string;
    readonly fix: string;
}

/** What shows in the facts: the words that prove it, undefined when it does not show. */
type Sign = (context: Context) => string | undefined;

const store = ({ driver = "", containerdSnapshotter }: Context["facts"]["docker"]) =>
    containerdSnapshotter ? `containerd's ${driver}` : driver;

const signs = {
    "cma-free-above-total": ({ facts }) => {
        const { CmaFree: free = 0, CmaTotal: total = 0 } = facts.memory;
        return free > total
            ? `CmaFree ${String(free)} kB above CmaTotal ${String(total)} kB`
            : undefined;
    },
    rootless: ({ facts }) => (facts.docker.rootless ? "docker info says so" : undefined),
    "snapshotters-differ": ({ facts, all, plan }) => {
        const head = all.find(({ node }) => node === plan.nodes[0]?.name)?.docker;
        if (head?.driver === undefined || facts.docker.driver === undefined) return undefined;
        if (head.containerdSnapshotter === facts.docker.containerdSnapshotter) return undefined;
        return `${store(facts.docker)}, there ${store(head)}`;
    },
    "remove-ipc": ({ facts, plan }) => {
        const image = facts.docker.images.find(({ tags }) => tags.includes(plan.image.tag));
        const user = image?.user.split(":")[0] ?? "";
        if (["", "0", "root"].includes(user) || /^(no|false|0|off)$/i.test(facts.removeIpc)) {
            return undefined;
        }
        return `the image's user is ${user}`;
    },
} as const satisfies Readonly<Record<string, Sign>>;

/** `7.0.0-31` is the beginning of `7.0.0-31-generic`, not of `7.0.0-310`. */
function isRelease(kernel: string, version: string): boolean {
    return kernel.startsWith(version) && !/^\d/.test(kernel.slice(version.length));
}

function ruleOf({ id, groupsOnly, kernels = [], sign, ...told }: KnownBad): Rule {
    return {
        id,
        check: (context) => {
            const { facts, plan } = context;
            if (groupsOnly === true && plan.nodes.length < 2) return nothing;
            const proof = signs[sign](context);
            const named = kernels.some((version) => isRelease(facts.kernel, version));
            if (proof === undefined && !named) return nothing;
            const problem = told.problem.replace("{kernel}", facts.kernel);
            return [{ ...told, problem: proof === undefined ? problem : `${problem} (${proof})` }];
        },
    };
}

/** One rule an entry of the data file. */
export const knownBadRules: readonly Rule[] = (data as readonly KnownBad[]).map(ruleOf);
