/** A line of an engine's log whose cause is known. */
export interface KnownFault {
    readonly id: string;
    readonly pattern: RegExp;
    /**
     * Whether the rank is lost once it says so, although it may still run: `loading` means only while weights
     * are read. `never`: said of starts that succeed, too, so it only explains an exit.
     */
    readonly fatal: "always" | "loading" | "never";
    /** What to do, as a sentence's end. */
    readonly advice: string;
    /** Instead, when weights were being read. */
    readonly adviceWhileLoading?: string;
    /** Whose words they are. */
    readonly source: string;
}

const doctor = "`npm run spark -- doctor` checks it";

/** Most telling first: when several were said, the first of this list explains the exit. */
export const knownFaults: readonly KnownFault[] = [
    {
        id: "nccl-registration",
        pattern: /Call to ibv_reg_mr|ibv_reg_mr\w* failed/i,
        fatal: "always",
        advice:
            "RDMA cannot register memory: kernel 7.0.0-1019-nvidia breaks it on GB10 (CmaFree above CmaTotal in " +
            `/proc/meminfo), a limit on locked memory does too; ${doctor} (rule kernel)`,
        source: "NCCL, misc/ibvwrap",
    },
    {
        id: "nccl-queue-pair",
        pattern: /Call to ibv_modify_qp failed/,
        fatal: "always",
        advice:
            "RDMA does not reach the peer: look at cable, MTU and RoCE addresses of both ends; " +
            `${doctor}; NCCL_IB_GID_INDEX must not be set`,
        source: "NCCL, misc/ibvwrap",
    },
    {
        id: "nccl-no-network",
        pattern: /Failed to initialize any NET plugin|NET\/IB : No device found/,
        fatal: "always",
        advice: `NCCL found no RDMA device: fabric.hcas must name this node's active ones; ${doctor}`,
        source: "NCCL, net plugins",
    },
    {
        id: "nccl-interface",
        pattern: /Bootstrap ?: no socket interface found/,
        fatal: "always",
        advice: `fabric.interface names no interface of this node with an address; ${doctor}`,
        source: "NCCL, bootstrap",
    },
    {
        id: "shared-memory",
        pattern:
            /rror while creating shared memory segment|\/dev\/shm.*No space left|No space left on device.*\/dev\/shm/,
        fatal: "always",
        advice:
            "/dev/shm of the node is full or too small (ranks use the node's own): remove what fills it, or " +
            "`sudo mount -o remount,size=8g /dev/shm`",
        source: "NCCL, misc/shmutils; Python, multiprocessing",
    },
    {
        id: "out-of-memory",
        pattern:
            /CUDA out of memory|torch\.(?:cuda\.)?OutOfMemoryError|cudaErrorMemoryAllocation|std::bad_alloc|NvMapMemAlloc\w* error/,
        fatal: "loading",
        advice: "lower --gpu-memory-utilization or --kv-cache-memory-bytes, or stop what else holds memory on the node",
        adviceWhileLoading:
            "weights that stream from a NAS fill the page cache, which is GPU memory on GB10: add " +
            "`--load-format instanttensor` to the recipe's args (the image ships it), or set weights.location: local",
        source: "PyTorch; CUDA",
    },
    {
        id: "memory-share",
        pattern: /Free memory on device .* is less than desired GPU memory utilization/,
        fatal: "always",
        advice: "free memory on the node (page cache counts as used on GB10), or lower --gpu-memory-utilization",
        source: "vLLM, gpu_worker",
    },
    {
        id: "kv-cache-too-small",
        pattern:
            /larger than the available KV cache memory|No available memory for the cache blocks/,
        fatal: "always",
        advice: "lower --max-model-len, or give the cache more (--kv-cache-memory-bytes)",
        source: "vLLM, kv_cache_utils",
    },
    {
        id: "address-in-use",
        pattern: /\[Errno 98\]|failed to listen on any local network address|EADDRINUSE/,
        fatal: "always",
        advice:
            "another program holds api.port or masterPort on the head: `ss -ltnp` on that node shows which; " +
            "stop it or choose another port in the stack's configuration",
        source: "Python; PyTorch, TCPStore",
    },
    {
        id: "wrong-gpu",
        pattern: /no kernel image is available for execution on the device/,
        fatal: "always",
        advice: "the image is built for another GPU: GB10 is sm_121, use an image made for it",
        source: "CUDA",
    },
    {
        id: "no-gpu",
        pattern:
            /No CUDA GPUs are available|Failed to infer device type|CUDA driver version is insufficient/,
        fatal: "never",
        advice: "the container sees no usable GPU: `nvidia-smi` on the node, then the NVIDIA Container Toolkit",
        source: "PyTorch; vLLM, platforms",
    },
    {
        id: "weights-missing",
        pattern: /LocalEntryNotFoundError|Cannot find (?:the requested files|any model weights)/,
        fatal: "never",
        advice:
            "the model, or this revision of it, is not in the hub folder the rank sees: look at weights.path and " +
            `model.revision; ${doctor}`,
        source: "huggingface_hub; vLLM, weight loaders",
    },
    {
        id: "model-unknown",
        pattern: /Model architectures? .* not supported|does not recognize this architecture/,
        fatal: "never",
        advice: "this image's vLLM does not know the model: use a newer image, or load its plugin (VLLM_PLUGINS)",
        source: "vLLM, model registry; transformers",
    },
    {
        id: "plugin",
        pattern: /Failed to load (?:general )?plugin/,
        fatal: "never",
        advice: "a plugin of the image cannot be imported: it must fit the image's vLLM (UPSTREAM.md of the image)",
        source: "vLLM, plugins",
    },
    {
        id: "model-config",
        pattern:
            /rope_(?:scaling|type|parameters).*(?:must|unrecogni|missing|KeyError|invalid)|KeyError: 'rope_type'/i,
        fatal: "never",
        advice:
            "the model's config.json does not fit this vLLM: look at --hf-overrides, or use the image that the " +
            "model's publisher names",
        source: "transformers, modeling_rope_utils",
    },
    {
        id: "bad-argument",
        pattern: /: error: (?:unrecognized arguments|argument )/,
        fatal: "never",
        advice: "correct the recipe's args: `npm run spark -- check` names the line",
        source: "Python, argparse",
    },
    {
        id: "peer",
        pattern:
            /connectFullMesh failed|DistNetworkError|DistStoreError|Call to connect .*failed|ncclRemoteError/,
        fatal: "never",
        advice:
            "the ranks do not reach each other over the fabric: a firewall on either node lets ping pass and stops " +
            `the rest; ${doctor}`,
        source: "PyTorch, gloo and TCPStore; NCCL",
    },
];

/** What is known of a line; the first of the list that fits. */
export function knownFault(line: string): KnownFault | undefined {
    return knownFaults.find(({ pattern }) => pattern.test(line));
}

/** What explains an exit: of all that the last lines say, the most telling. */
export function explain(lines: readonly string[]): KnownFault | undefined {
    return knownFaults.find(({ pattern }) => lines.some((line) => pattern.test(line)));
}

/** Whether a line means that the rank is lost, although it still runs. */
export function isFatal(fault: KnownFault, loading: boolean): boolean {
    return fault.fatal === "always" || (fault.fatal === "loading" && loading);
}

/** The advice that fits the time at which the fault was seen. */
export function adviceOf(fault: KnownFault, loading: boolean): string {
    return (loading ? fault.adviceWhileLoading : undefined) ?? fault.advice;
}
