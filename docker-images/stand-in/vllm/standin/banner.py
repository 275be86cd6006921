"""Log lines that tell what a rank was given."""
import os

import vllm
from vllm.standin import flags, interfaces, process


def plugins(role: str) -> None:
    """The registration line of each plugin that the image names."""
    for name in filter(None, os.environ.get("VLLM_PLUGINS", "").split(",")):
        process.say(role, "Available plugins for group vllm.general_plugins:", "__init__.py:43")
        process.say(role, f"- {name} -> {name}:register", "__init__.py:45")
        process.say(role, f"{name}: vision plugin registered", "__init__.py:61")


def arguments(role: str, args) -> None:
    """Version and what differs from the defaults: a worker has no API and says neither."""
    if role != "APIServer":
        return
    process.say(role, f" version {vllm.__version__}\n model   {args.model}", "api_utils.py:347")
    defaults = {flag["dest"]: flag.get("default", None) for flag in flags.table()}
    given = {
        name: value
        for name, value in vars(args).items()
        if name in defaults and value not in (defaults[name], False) and name not in ("api_key", "hf_token")
    }
    process.say(role, f"non-default args: {given}", "api_utils.py:286")


def model(role: str, args, config: dict, snapshot) -> None:
    """Which model it is."""
    if os.environ.get("HF_HUB_OFFLINE") == "1":
        process.say(
            role,
            f"HF_HUB_OFFLINE is True, replace model_id [{args.model}] to model_path [{snapshot}]",
            "arg_utils.py:605",
        )
    architecture = (config.get("architectures") or ["DeepseekV4ForCausalLM"])[0]
    process.say(role, f"Resolved architecture: {architecture}", "model.py:530")
    process.say(role, f"Using max model len {args.max_model_len}", "model.py:1866")
    if args.nnodes > 1:
        process.say(
            role, f"Inferred data_parallel_rank 0 from node_rank {args.node_rank}", "arg_utils.py:1701"
        )


def engine(args) -> None:
    """The head's engine before it meets the others."""
    process.say(
        "EngineCore",
        f"Initializing a V1 LLM engine (v{vllm.__version__}) with config: model='{args.model}',"
        f" max_seq_len={args.max_model_len}, tensor_parallel_size={args.tensor_parallel_size},"
        f" pipeline_parallel_size={args.pipeline_parallel_size}, kv_cache_dtype={args.kv_cache_dtype}",
        "core.py:112",
    )
    own = interfaces.own_address()
    if own is None:
        own = "0.0.0.0"
        process.warn(
            "EngineCore",
            "Failed to get the IP address, using 0.0.0.0 by default. The value can be set by the environment"
            " variable VLLM_HOST_IP or HOST_IP.",
            "network_utils.py:71",
        )
    process.say(
        "EngineCore",
        f"DP group leader: node_rank={args.node_rank}, node_rank_within_dp={args.node_rank},"
        f" master_addr={args.master_addr}, mq_connect_ip={own} (local), world_size={args.nnodes},"
        " local_world_size=1",
        "multiproc_executor.py:156",
    )
    waiting(args)


def waiting(args) -> None:
    """The last line while a peer is missing."""
    process.say(
        "Worker",
        f"world_size={args.nnodes} rank={args.node_rank} local_rank=0"
        f" distributed_init_method=tcp://{args.master_addr}:{args.master_port} backend=nccl",
        "parallel_state.py:1395",
    )


def world(args) -> None:
    """All ranks are there."""
    rank, tensor = args.node_rank, args.tensor_parallel_size
    process.say("Worker", "vLLM is using nccl==2.28.9", "pynccl.py:111")
    process.say(
        "Worker",
        f"rank {rank} in world size {args.nnodes} is assigned as DP rank 0, PP rank {rank // tensor}, PCP rank 0,"
        f" TP rank {rank % tensor}, ETP rank {rank % tensor}, EP rank N/A, EPLB rank N/A",
        "parallel_state.py:2350",
    )
