"""Checks of values that vLLM makes after parsing: all end the process with code 1."""
from vllm.standin.failure import Failure

TOOL_PARSERS = (
    "deepseek_v3,deepseek_v31,deepseek_v32,deepseek_v4,ernie45,gemma4,glm45,glm47,granite,hermes,internlm,jamba,"
    "kimi_k2,llama3_json,llama4_json,llama4_pythonic,minimax_m2,mistral,openai,phi4_mini_json,pythonic,qwen3_coder,"
    "qwen3_xml,step3,xlam"
).split(",")
REASONING_PARSERS = (
    "deepseek_r1,deepseek_v3,deepseek_v4,ernie45,gemma4,glm45,gptoss,granite,holo2,hunyuan_a13b,kimi_k2,minimax_m2,"
    "mistral,olmo3,openai_gptoss,qwen3,seed_oss,step3"
).split(",")
# Upstream's, and what the recipe's image adds (it is a fork).
ATTENTION_BACKENDS = (
    "FLASH_ATTN,FLASH_ATTN_DIFFKV,TRITON_ATTN,FLASHINFER,FLASHINFER_MLA,FLASHINFER_MLA_SPARSE,TRITON_MLA,CUTLASS_MLA,"
    "FLASHMLA,FLASHMLA_SPARSE,FLASH_ATTN_MLA,FLEX_ATTENTION,TREE_ATTN,CPU_ATTN,TORCH_SDPA,B12X_MLA_SPARSE,B12X_MLA"
).split(",")


def check_values(args) -> None:
    """Raises Failure with the engine's words for the first wrong value."""
    _check_parallel(args)
    _check_names(args)


def check_model(args, config: dict) -> None:
    """What only the model's own configuration can decide; fills in the model's length."""
    longest = config.get("max_position_embeddings", 1048576)
    if args.max_model_len in (None, -1):
        args.max_model_len = longest
    if args.max_model_len > longest:
        raise Failure(
            "pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig\n"
            f"  Value error, User-specified max_model_len ({args.max_model_len}) is greater than the derived"
            f" max_model_len (max_position_embeddings={longest} or model_max_length=None in model's config.json)."
        )
    speculative = args.speculative_config or {}
    count, heads = speculative.get("num_speculative_tokens"), config.get("num_nextn_predict_layers")
    if count and heads and count % heads != 0:
        raise Failure(
            "pydantic_core._pydantic_core.ValidationError: 1 validation error for SpeculativeConfig\n"
            f"  Value error, num_speculative_tokens:{count} must be divisible by n_predict={heads}"
        )


def _check_parallel(args) -> None:
    if args.nnodes < 1:
        raise Failure(
            "pydantic_core._pydantic_core.ValidationError: 1 validation error for ParallelConfig\nnnodes\n"
            f"  Input should be greater than or equal to 1 [type=greater_than_equal, input_value={args.nnodes},"
            " input_type=int]"
        )
    world = args.tensor_parallel_size * args.pipeline_parallel_size
    if world < 1:
        raise Failure(
            "pydantic_core._pydantic_core.ValidationError: 1 validation error for ParallelConfig\n"
            "tensor_parallel_size\n  Input should be greater than or equal to 1"
        )
    launch = "ValueError: Invalid data-parallel launch options: "
    if world % args.nnodes != 0:
        raise Failure(
            f"{launch}`--nnodes {args.nnodes}` must evenly divide the total world size ({world}). Adjust `--nnodes`,"
            " `--data-parallel-size`, `--pipeline-parallel-size`, `--tensor-parallel-size`, or"
            " `--prefill-context-parallel-size`."
        )
    if args.nnodes > 1 and not 0 <= args.node_rank < args.nnodes:
        raise Failure(
            f"{launch}`--node-rank` must be between 0 and {args.nnodes - 1}; got `--node-rank {args.node_rank}`. Set it"
            " to this node's zero-based index."
        )
    # A Spark has one GPU, so a second local rank finds no device.
    if world != args.nnodes:
        raise Failure("AssertionError: DP adjusted local rank 1 is out of bounds. ")


def _check_names(args) -> None:
    backend = args.attention_backend
    if backend is not None and backend.upper() not in ATTENTION_BACKENDS:
        raise Failure(
            f"ValueError: Unknown attention backend: '{backend}'. Valid options are: {', '.join(ATTENTION_BACKENDS)}"
        )
    for kind, name, known in (
        ("tool call", args.tool_call_parser, TOOL_PARSERS),
        ("reasoning", args.reasoning_parser, REASONING_PARSERS),
    ):
        if name and name not in known:
            raise Failure(f"KeyError: 'invalid {kind} parser: {name} (chose from {{ {','.join(known)} }})'")
