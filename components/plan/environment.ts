import type { Fabric, Node } from "../cluster";
import type { Recipe } from "../recipe";

type Env = Readonly<Record<string, string>>;

/**
 * The fabric in the words of the libraries that open sockets on it. Left out on purpose: NCCL_IB_GID_INDEX (with
 * AF_INET NCCL finds the RoCE v2 entry itself, and the table shifts) and VLLM_PORT (a base for inner sockets).
 */
function fabricEnv({ address, interface: netdev, hcas }: Fabric): Env {
    return {
        VLLM_HOST_IP: address,
        // Without "=" NCCL takes a name for a prefix: rocep1s0f1 would also be rocep1s0f1d2.
        NCCL_IB_HCA: `=${hcas.join(",")}`,
        NCCL_IB_ADDR_FAMILY: "AF_INET",
        // Named, so that a fabric without RDMA is an error instead of a silent fall-back to TCP.
        NCCL_NET: "IB",
        NCCL_SOCKET_IFNAME: netdev,
        GLOO_SOCKET_IFNAME: netdev,
        TP_SOCKET_IFNAME: netdev,
    };
}

/** A rank's environment: the recipe's in its order, its mounts', the node's own, then the program's. */
export function rankEnv(recipe: Recipe, node: Node, mountEnv: Env): Env {
    return {
        ...recipe.env,
        ...mountEnv,
        ...node.env,
        ...(node.fabric === undefined ? { VLLM_HOST_IP: "127.0.0.1" } : fabricEnv(node.fabric)),
    };
}
