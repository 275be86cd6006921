import type { RecipeMount } from "../recipe";

/** What leads to the other nodes; facts of this node, never copied from another. */
export interface Fabric {
    /** IPv4 address of this node on the fabric. */
    readonly address: string;
    /** Network interface that carries it, e.g. `enp1s0f1np1`. */
    readonly interface: string;
    /** RDMA devices, e.g. `["rocep1s0f1"]`. */
    readonly hcas: readonly string[];
    /** Bytes; equal on all nodes. */
    readonly mtu: number;
}

/** One machine as the stack's configuration names it. */
export interface Node {
    /** `spark-1`: part of every logical name. */
    readonly name: string;
    /** What `ssh` is given: `user@name` or an alias. */
    readonly destination: string;
    /** Port, when the configuration gives one. */
    readonly port?: number;
    /** Public key that the node must show (`ssh-ed25519 AAAA…`); else the user's known_hosts decide. */
    readonly hostKey?: string;
    /** Absolute home of the login user; undefined only when the recipe needs none. */
    readonly home?: string;
    readonly fabric?: Fabric;
    /** Additions for this node alone. */
    readonly env: Readonly<Record<string, string>>;
    readonly mounts: readonly RecipeMount[];
    /** May take a failed machine's place; not counted among the recipe's nodes. */
    readonly spare?: true;
}

/** A stack's configuration, validated, defaults filled in. Secrets are absent: only whether they are set. */
export interface Cluster {
    /** Configuration file for messages, e.g. `Pulumi.spark.yaml`. */
    readonly file: string;
    /** Folder name under recipes/ or a path. */
    readonly recipe: string;
    /** Rank 0 first. */
    readonly nodes: readonly Node[];
    /** ssh_config file for `ssh -F`, relative to the project; else the user's own. */
    readonly sshConfig?: string;
    readonly api: { readonly port: number; readonly bind: string; readonly open: boolean };
    readonly masterPort: number;
    readonly model: { readonly revision?: string };
    readonly weights: {
        readonly location: "nas" | "local";
        /** Hub root on the nodes; default: the recipe's mount whose env is HF_HOME. */
        readonly path?: string;
        readonly prefetch: boolean;
    };
    readonly nas: {
        readonly fsTypes: readonly string[];
        /** A share that the program mounts at the hub's root. */
        readonly manage?: {
            readonly source: string;
            readonly type: string;
            readonly options: string;
        };
    };
    readonly image: {
        /** Base image with its digest, instead of the Dockerfile's own. */
        readonly base?: string;
        /** Folder under docker-images/, instead of the recipe's. */
        readonly dir?: string;
        /** e.g. `linux/arm64`. */
        readonly platform: string;
        readonly strategy: "per-node" | "ship";
        /** tag: a registry's tag may be pulled, not only a digest. */
        readonly pull: "digest" | "tag";
        /** Where a login is needed, and whose; the password never enters the plan. */
        readonly registry?: { readonly server: string; readonly username: string };
        readonly mirrors: readonly { readonly from: string; readonly to: string }[];
        /** Whether a base image needs no digest. */
        readonly allowUnpinnedBase: boolean;
        readonly retain: number;
    };
    readonly caches: { readonly onImageChange: "fresh" | "keep" };
    readonly launch: {
        readonly timeoutSeconds: number;
        readonly completionTimeoutSeconds: number;
        readonly stallSeconds: number;
        readonly takeOver: boolean;
        readonly dropCaches: boolean;
        readonly longPromptFraction: number;
        readonly soakMinutes: number;
    };
    readonly checks: {
        readonly ignore: readonly { readonly id: string; readonly reason: string }[];
    };
    readonly purge: readonly ("images" | "caches")[];
    /** Whether a key is configured; its value never enters the plan. */
    readonly hasApiKey: boolean;
    readonly hasHuggingFaceToken: boolean;
}
