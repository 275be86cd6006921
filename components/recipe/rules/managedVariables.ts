import type { Finding } from "../finding";
import { own } from "../own";

type Reason = Pick<Finding, "problem" | "expected" | "fix">;

const perNode = "it differs from node to node; the program sets it from the stack's fabric";
const ofGroup = "the ranks meet by flags that the program sets";

/** Why a variable is not the recipe's, by its name. */
export const managedVariableReasons: Readonly<Record<string, string>> = {
    VLLM_PORT: "it is not the API's port but a base for the engine's inner sockets",
    VLLM_HOST_IP: perNode,
    VLLM_LOOPBACK_IP: perNode,
    VLLM_DP_MASTER_IP: ofGroup,
    VLLM_DP_MASTER_PORT: ofGroup,
    VLLM_DP_RANK: ofGroup,
    VLLM_DP_RANK_LOCAL: ofGroup,
    VLLM_DP_SIZE: ofGroup,
    NCCL_IB_HCA: perNode,
    NCCL_IB_GID_INDEX:
        "the table of GIDs shifts; NCCL finds the right entry itself when it is absent",
    NCCL_IB_ADDR_RANGE: perNode,
    NCCL_COMM_ID: ofGroup,
    NCCL_HOSTID: perNode,
    MASTER_ADDR: ofGroup,
    MASTER_PORT: ofGroup,
    RANK: ofGroup,
    LOCAL_RANK: ofGroup,
    GROUP_RANK: ofGroup,
    NODE_RANK: ofGroup,
    WORLD_SIZE: ofGroup,
    LOCAL_WORLD_SIZE: ofGroup,
    NNODES: ofGroup,
    CUDA_VISIBLE_DEVICES: "a node has one GPU, and its rank has it",
    NVIDIA_VISIBLE_DEVICES: "a node has one GPU, and its rank has it",
};

/** Values that say what the program says anyway. */
const harmless: Readonly<Record<string, string>> = {
    NCCL_NET: "IB",
    NCCL_IB_ADDR_FAMILY: "AF_INET",
    NCCL_IB_DISABLE: "0",
};

const contradiction =
    "the program sets NCCL_NET=IB and NCCL_IB_ADDR_FAMILY=AF_INET: a group that fell back to TCP would be silently slow";

/** Interfaces, devices and addresses of whatever library: these are never the same on two nodes. */
const namesDevice =
    /(?:_IFNAME|_IF_NAME|_IF_INCLUDE|_IF_EXCLUDE|_HCA|_HCA_LIST|_NET_DEVICES|_GID_INDEX|_NIC_NAME)$|^VLLM_.*_(?:HOST|IP)$/i;

const places: Readonly<Record<string, string>> = {
    VLLM_PORT: "remove it; for the API's port: pulumi config set --path api.port 8000",
    MASTER_PORT: "remove it; for the rendezvous: pulumi config set masterPort 29501",
    VLLM_HOST_IP: "remove it; the address is the stack's nodes[].fabric.address",
};

function reasonOf(name: string, value: string | undefined): string | undefined {
    const same = own(harmless, name);
    if (same !== undefined) return value === same ? undefined : contradiction;
    return own(managedVariableReasons, name) ?? (namesDevice.test(name) ? perNode : undefined);
}

/** Why the recipe must not set a variable; undefined when it may, as with tuning that names no device. */
export function managedReason(name: string, value: string | undefined): Reason | undefined {
    const reason = reasonOf(name, value);
    return reason === undefined
        ? undefined
        : {
              problem: `${name} must not be set here: ${reason}`,
              expected: "variables of the model and the engine, equal on all nodes",
              fix:
                  own(places, name) ??
                  "remove it; what one node alone needs goes into the stack's nodes[].env",
          };
}
