import type { Fabric } from "../cluster";
import type { MountPlan, StackPlan } from "./types";

/** What of a rank a reader of a change wants to see; kept as a stack output, free of secrets. */
export interface RankSummary {
    readonly node: string;
    /** How the node is reached: destination, and port when there is one. */
    readonly host?: string;
    readonly rank: number;
    readonly container?: string;
    readonly image: string;
    readonly platform?: string;
    /** Address, interface, RDMA devices and MTU on the fabric. */
    readonly fabric?: string;
    readonly shmMegabytes?: number;
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    /** Whether the API asks for a key; the head's matter. */
    readonly apiKey?: boolean;
    /** `host -> container`, ` (read-only)` behind it. */
    readonly mounts: readonly string[];
}

/** The group's ranks in short. */
export function summariseRanks(plan: StackPlan): readonly RankSummary[] {
    return plan.nodes.map(({ name, ssh, fabric, rank }) => ({
        node: name,
        host: ssh.port === undefined ? ssh.destination : `${ssh.destination}:${String(ssh.port)}`,
        rank: rank.rank,
        container: rank.containerName,
        image: plan.image.tag,
        platform: plan.image.platform,
        ...(fabric === undefined ? {} : { fabric: describeFabric(fabric) }),
        ...(rank.shmMegabytes === undefined ? {} : { shmMegabytes: rank.shmMegabytes }),
        command: rank.command,
        env: rank.env,
        ...(rank.role === "head" ? { apiKey: plan.api.authenticated } : {}),
        mounts: rank.mounts.map(describeMount),
    }));
}

function describeFabric({ address, interface: name, hcas, mtu }: Fabric): string {
    return `${address} on ${name} (${hcas.join(", ")}, MTU ${String(mtu)})`;
}

function describeMount({ hostPath, containerPath, readOnly }: MountPlan): string {
    return `${hostPath} -> ${containerPath}${readOnly ? " (read-only)" : ""}`;
}
