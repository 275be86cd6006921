import type { Issue, IssueCode } from "../issue";
import type { ContainerFacts, NodeFacts } from "./facts";
import type { Fabric } from "./types";

/** What the rules need of a node's plan. */
export interface NodeToCheck {
    readonly name: string;
    readonly ssh: { readonly destination: string };
    readonly home?: string;
    readonly fabric?: Fabric;
    /** Host directories in which its rank's libraries keep compiled kernels. */
    readonly jitCaches: readonly string[];
    readonly rank: {
        readonly role: "head" | "worker";
        readonly containerName: string;
        readonly command: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        readonly mounts: readonly {
            readonly hostPath: string;
            readonly kind: "weights" | "cache" | "directory";
        }[];
    };
}

/** What the rules need of a plan; every StackPlan is one (plan stands above this folder). */
export interface PlanToCheck {
    readonly stack: string;
    readonly model: { readonly id: string; readonly revision?: string };
    readonly image: {
        readonly tag: string;
        readonly build: object | null;
        readonly platform: string;
        /** ship: the first node's image is sent to the others. Default: each node has its own. */
        readonly strategy?: "per-node" | "ship";
        /** What is fetched from a registry where it is not there; absent: nothing. */
        readonly pull?: object;
    };
    readonly nodes: readonly NodeToCheck[];
    readonly api: { readonly bind: string; readonly port: number };
    readonly masterPort: number;
    readonly weights: {
        readonly location: "nas" | "local";
        readonly path?: string;
        /** Missing weights are downloaded after preflight. */
        readonly prefetch: boolean;
    };
    readonly nasFsTypes: readonly string[];
    readonly launch: { readonly dropCaches: boolean; readonly takeOver: boolean };
    /** A share that is mounted after preflight. */
    readonly nasMount?: { readonly path: string };
    readonly ignoredChecks: readonly string[];
}

/** One node under the rules, its group around it. */
export interface Context {
    readonly plan: PlanToCheck;
    readonly node: NodeToCheck;
    readonly facts: NodeFacts;
    /** Every node that answered, by rank. */
    readonly all: readonly NodeFacts[];
    /** Label of the stack's own containers; unknown before the first `up`. */
    readonly groupId?: string;
}

export type Finding = Pick<Issue, "code" | "problem" | "expected"> & {
    readonly fix?: string;
    /** Default: error. */
    readonly severity?: Issue["severity"];
};

/** One thing that must hold on a node. `id` is what `checks.ignore` names. */
export interface Rule {
    readonly id: string;
    /** Rules that make this one meaningless when they fail on the node. */
    readonly after?: readonly string[];
    readonly check: (context: Context) => readonly Finding[];
}

export const nothing: readonly Finding[] = [];

/** One finding, for rules that have no more. */
export function finding(
    code: IssueCode,
    problem: string,
    expected: string,
    fix?: string,
): readonly Finding[] {
    return [{ code, problem, expected, ...(fix === undefined ? {} : { fix }) }];
}

export function warning(found: readonly Finding[]): readonly Finding[] {
    return found.map((each) => ({ ...each, severity: "warning" as const }));
}

/** Whether a container is of this stack's group, or of one that it takes over: it will be gone. */
export function isOwn(context: Context, container: ContainerFacts): boolean {
    if (context.plan.launch.takeOver && container.groupId !== undefined) return true;
    return sameGroup(context, container);
}

/** Whether a container is of this stack's group. */
export function sameGroup({ plan, groupId }: Context, container: ContainerFacts): boolean {
    if (groupId !== undefined) return container.groupId === groupId;
    return container.groupId !== undefined && container.stack === plan.stack;
}

/** Whether a rank of this stack's group runs on the node, and so holds port and memory. */
export function ownRuns(context: Context): boolean {
    const { containers } = context.facts.docker;
    return containers.some((container) => container.running && isOwn(context, container));
}

/** GiB with one digit. */
export function gib(bytes: number): string {
    return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** `sudo …` for a login user who is not root. */
export function sudo({ facts }: Context, command: string): string {
    return facts.uid === 0 ? command : `sudo ${command}`;
}
