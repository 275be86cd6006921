import type * as docker from "@pulumi/docker";
import * as pulumi from "@pulumi/pulumi";

import type { RankPlan, StackPlan } from "../plan";

/** Where the head's entry point finds the API key: a file that only the container's root can read. */
const apiKeyFile = "/etc/spark-vllm/api-key";
/** Reads the key into the process alone: argv, `docker inspect` and the state do not have it (facts.md). */
const withApiKey = ["sh", "-c", `export VLLM_API_KEY="$(cat ${apiKeyFile})"; exec "$@"`, "sh"];

/** Weeks of serving must not fill the node's disk. */
const logOptions = { "max-size": "50m", "max-file": "4" };

/** The GPU, its memory and the fabric's RDMA devices, as the engine needs them. */
const hardware = {
    // Root in the container: with host IPC any other user meets logind's RemoveIPC (facts.md).
    user: "root",
    networkMode: "host",
    ipcMode: "host",
    gpus: "all",
    capabilities: { adds: ["CAP_IPC_LOCK"] },
    ulimits: [{ name: "memlock", soft: -1, hard: -1 }],
    devices: [
        { hostPath: "/dev/infiniband", containerPath: "/dev/infiniband", permissions: "rwm" },
    ],
} satisfies Partial<docker.ContainerArgs>;

export interface ContainerSecrets {
    /** Reaches rank 0 alone. */
    readonly apiKey?: pulumi.Output<string>;
    /** Reaches the download alone, and only when the hub asks for one. */
    readonly huggingFaceToken?: pulumi.Output<string>;
    /** Reaches the pull alone. */
    readonly registryPassword?: pulumi.Output<string>;
}

/**
 * The inputs of a rank's container, spread from its plan.
 *
 * Left out on purpose, because each gives a diff at every run (facts.md): durations, platform,
 * securityOpts, memorySwap, cpus.
 */
export function containerArgs(
    plan: StackPlan,
    rank: RankPlan,
    groupId: pulumi.Input<string>,
    secrets: ContainerSecrets,
): docker.ContainerArgs {
    const apiKey = rank.role === "head" ? secrets.apiKey : undefined;
    const [program, ...args] = rank.command;
    return {
        name: rank.containerName,
        image: plan.image.tag,
        // The image's own entry point, if any, must not come between the plan's argv and the engine.
        entrypoints: apiKey === undefined ? [program ?? "vllm"] : withApiKey,
        command: apiKey === undefined ? args : [...rank.command],
        ...(apiKey === undefined ? {} : { uploads: [apiKeyUpload(apiKey)] }),
        envs: Object.entries(rank.env).map(([name, value]) => `${name}=${value}`),
        ...hardware,
        ...(rank.shmMegabytes === undefined ? {} : { shmSize: rank.shmMegabytes }),
        // Mounts, not volumes: a missing host path is an error instead of a new empty directory.
        mounts: rank.mounts.map((mount) => ({
            type: "bind",
            source: mount.hostPath,
            target: mount.containerPath,
            readOnly: mount.readOnly,
        })),
        labels: [
            ...Object.entries(rank.labels).map(([label, value]) => ({ label, value })),
            { label: "spark-vllm.id", value: groupId },
        ],
        logDriver: "json-file",
        logOpts: logOptions,
        // A rank cannot rejoin its group, so Docker must not bring one back alone.
        restart: "no",
        // Makes a dead rank visible to refresh; replaceOnChanges then replaces it (facts.md).
        mustRun: true,
        destroyGraceSeconds: 30,
        logs: false,
        attach: false,
    };
}

function apiKeyUpload(apiKey: pulumi.Output<string>) {
    return { file: apiKeyFile, content: pulumi.secret(apiKey), permissions: "0400" };
}
