import type { Fabric } from "../cluster";
import type { BootFigures } from "../image";
import type { Issue } from "../issue";
import type { ImagePlan } from "./imageTypes";
import type { Housekeeping, JitPlan } from "./keepTypes";
import type { NasMountPlan } from "./nasMountPlan";
import type { SmokeGate } from "./smokeTypes";

/** A directory of the node bound into the rank's container; both paths absolute. */
export interface MountPlan {
    readonly hostPath: string;
    readonly containerPath: string;
    readonly readOnly: boolean;
    /**
     * weights: the model hub; with `weights.location: nas` it must be a real mount.
     * cache: below the login user's home, made by the program.
     * directory: any other; must exist, is never made.
     */
    readonly kind: "weights" | "cache" | "directory";
}

interface RankBase {
    readonly rank: number;
    readonly containerName: string;
    /** What follows the image name: `vllm serve MODEL …`. */
    readonly command: readonly string[];
    /** In order: managed variables last. */
    readonly env: Readonly<Record<string, string>>;
    readonly mounts: readonly MountPlan[];
    /** Megabytes for Docker's shm size; inert with host IPC. */
    readonly shmMegabytes?: number;
    /** Labels except the group's id, which is made at the first `up` and kept in state. */
    readonly labels: Readonly<Record<string, string>>;
}
export interface HeadRank extends RankBase {
    readonly role: "head";
}
export interface WorkerRank extends RankBase {
    readonly role: "worker";
}
/** One vLLM process group member: rank 0 is the head and alone has an API. */
export type RankPlan = HeadRank | WorkerRank;

/** How to reach a node: the words between `ssh` and the remote command. */
export interface SshPlan {
    /** `user@host` or an alias. */
    readonly destination: string;
    readonly port?: number;
    /** Pinned host key, if any. */
    readonly hostKey?: string;
    /** ssh_config for -F, relative to the project. */
    readonly config?: string;
}

/** Logical names of a node's resources: identity, so they hold node and thing, never the recipe. */
export interface NodeNames {
    readonly node: string;
    readonly provider: string;
    readonly image: string;
    readonly caches: string;
    readonly nas: string;
    readonly rank: string;
}

export interface NodePlan {
    readonly name: string;
    readonly ssh: SshPlan;
    readonly names: NodeNames;
    readonly home?: string;
    readonly fabric?: Fabric;
    readonly rank: RankPlan;
    /** Directories here that hold kernels compiled at run time, absolute; none lies in another. */
    readonly jitCaches: readonly string[];
}

/** Everything the program will declare and its steps will do, decided; JSON-safe and free of secrets. */
export interface StackPlan {
    /** Pulumi stack, e.g. `spark`. */
    readonly stack: string;
    /** `organization/spark-vllm/spark`: who owns the group, for messages. */
    readonly owner: string;
    /** The recipe's folder name. */
    readonly recipe: string;
    readonly title: string;
    readonly model: {
        readonly id: string;
        readonly servedName: string;
        readonly revision?: string;
    };
    readonly image: ImagePlan;
    /** By rank: nodes[0] is the head. */
    readonly nodes: readonly NodePlan[];
    /** Digest over all ranks, image included, 16 hex digits: any change of it replaces the whole group. */
    readonly group: string;
    readonly api: {
        readonly bind: string;
        readonly port: number;
        readonly authenticated: boolean;
        /** As a user would call it, e.g. `http://127.0.0.1:8000/v1`. */
        readonly endpoint: string;
    };
    readonly masterPort: number;
    readonly weights: {
        readonly location: "nas" | "local";
        /** Hub root on the nodes (HF_HOME); undefined when the recipe mounts none. */
        readonly path?: string;
        /** Whether missing weights are downloaded, and with `local` copied to the other nodes. */
        readonly prefetch: boolean;
        /** Whether they come after preflight, so that a step of their own has to see them whole. */
        readonly preparedByProgram: boolean;
    };
    /** File-system types that count as a mounted NAS. */
    readonly nasFsTypes: readonly string[];
    /** Absent: the NAS is mounted by someone else. */
    readonly nasMount?: NasMountPlan;
    readonly launch: {
        readonly timeoutSeconds: number;
        readonly completionTimeoutSeconds: number;
        readonly stallSeconds: number;
        /** Whether other groups' ranks on these nodes are stopped when this one starts. */
        readonly takeOver: boolean;
        /** Whether a node's page cache is dropped before a rank starts that would not fit beside it. */
        readonly dropCaches: boolean;
    };
    /** A healthy start of this image as its smoke.toml tells; absent when it does not. No part of the group's digest. */
    readonly expected?: BootFigures;
    /** What the group must be able to do once it serves, in this order. No part of the group's digest. */
    readonly smoke: readonly SmokeGate[];
    readonly jit: JitPlan;
    readonly housekeeping: Housekeeping;
    /** Ids of suppressed preflight rules. */
    readonly ignoredChecks: readonly string[];
    /** Of recipe and configuration; severity "warning" only. */
    readonly warnings: readonly Issue[];
}

/** One start that ended in service. */
export interface Boot {
    readonly recipe: string;
    /** How many ranks. */
    readonly ranks: number;
    /** From the first rank's start to the first completion. */
    readonly seconds: number;
    /** Whether the JIT caches were empty; null: not known. */
    readonly cold: boolean | null;
    /** Of the largest rank; null: the engine did not say. */
    readonly weightsGib: number | null;
    readonly kvCacheTokens: number | null;
}

/** Printed by the launch step as its last line and kept in the state. */
export interface LaunchResult {
    readonly bootSeconds: number;
    /** null: the engine did not say. */
    readonly kvCacheTokens: number | null;
    readonly ranks: readonly {
        readonly node: string;
        readonly container: string;
        /** null: the engine did not say. */
        readonly weightsGib: number | null;
        /** Lowest memory available on the node while weights loaded; null: not seen. */
        readonly lowestAvailableGib: number | null;
    }[];
    /** Figures that are far from what was expected. */
    readonly warnings: readonly string[];
    /** The last starts, newest first, this one included. */
    readonly boots: readonly Boot[];
}
