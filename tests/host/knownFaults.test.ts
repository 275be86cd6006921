import {
    adviceOf,
    explain,
    isFatal,
    knownFault,
    knownFaults,
} from "../../components/host/knownFaults";

// Lines as the programs print them.
test.each([
    [
        "nccl-registration",
        "spark-1:71:71 [0] misc/ibvwrap.cc:225 NCCL WARN Call to ibv_reg_mr_iova2 failed with error Cannot allocate memory",
    ],
    [
        "nccl-queue-pair",
        "misc/ibvwrap.cc:281 NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out",
    ],
    ["nccl-no-network", "NCCL WARN Failed to initialize any NET plugin"],
    ["nccl-interface", "NCCL WARN Bootstrap : no socket interface found"],
    [
        "shared-memory",
        "NCCL WARN Error while creating shared memory segment /dev/shm/nccl-VPyhzw (size 21823872), error: No space left on device (28)",
    ],
    [
        "out-of-memory",
        "(Worker_TP0 pid=71) ERROR torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
    ],
    [
        "memory-share",
        "ValueError: Free memory on device cuda:0 (90.1/121.63 GiB) on startup is less than desired GPU memory utilization (0.87, 105.8 GiB).",
    ],
    [
        "kv-cache-too-small",
        "(2.1 GiB KV cache is needed, which is larger than the available KV cache memory (1.2 GiB).",
    ],
    ["address-in-use", "OSError: [Errno 98] Address already in use"],
    [
        "address-in-use",
        "RuntimeError: The server socket has failed to listen on any local network address. port: 29501",
    ],
    [
        "wrong-gpu",
        "torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device",
    ],
    ["no-gpu", "RuntimeError: No CUDA GPUs are available"],
    [
        "weights-missing",
        "huggingface_hub.errors.LocalEntryNotFoundError: Cannot find an appropriate cached snapshot",
    ],
    ["model-unknown", "ValueError: Model architectures ['NewLM'] are not supported for now."],
    ["plugin", "ERROR 12-02 [__init__.py:71] Failed to load plugin dsv4_vision"],
    ["model-config", "ValueError: `rope_scaling`'s factor field must be a float >= 1, got None"],
    ["bad-argument", "vllm: error: unrecognized arguments: --no-such-flag"],
    ["peer", "RuntimeError: Gloo connectFullMesh failed with [tcp/pair.cc:144] timed out"],
])("%s: %s", (id, line) => {
    expect(knownFault(line)?.id).toBe(id);
});

test("every fault has a line here, and its own id", () => {
    expect(new Set(knownFaults.map(({ id }) => id)).size).toBe(knownFaults.length);
});

test.each([
    // Said while a worker waits for its head: it tries again.
    "[W socket.cpp:755] [c10d] The client socket has failed to connect to [10.0.0.1]:29501 (errno: 111 - Connection refused).",
    // IPv6 first, IPv4 next.
    "[W socket.cpp:464] [c10d] The server socket has failed to bind to [::]:29501 (errno: 98 - Address already in use).",
    "stand-in: locked memory is limited to 8388608 bytes; a real ibv_reg_mr would fail",
    "INFO 12-02 [model.py:530] Resolved architecture: DeepseekV4ForCausalLM",
    "INFO 12-02 [utils.py:253] non-default args: {'hf_overrides': {'rope_parameters': {}}}",
])("harmless: %s", (line) => {
    const fault = knownFault(line);
    expect(fault !== undefined && isFatal(fault, true)).toBe(false);
});

test("out of memory is fatal while weights load, and names the loader that avoids it", () => {
    const fault = knownFault("CUDA out of memory");
    expect(fault).toBeDefined();
    if (fault === undefined) return;
    expect([isFatal(fault, true), isFatal(fault, false)]).toEqual([true, false]);
    expect(adviceOf(fault, true)).toContain("--load-format instanttensor");
    expect(adviceOf(fault, false)).toContain("--gpu-memory-utilization");
});

test("of several, the most telling explains an exit", () => {
    const lines = ["ncclRemoteError: remote process exited", "Call to ibv_reg_mr failed"];
    expect(explain(lines)?.id).toBe("nccl-registration");
    expect(explain(["all is well"])).toBeUndefined();
});
