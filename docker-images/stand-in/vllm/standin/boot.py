"""The boot after the ranks met: weights, KV cache, graphs, with vLLM's log lines."""
import os
import sys
import time

from vllm.standin import faults, process, weights
from vllm.standin.failure import Failure

# The measured pair: 12,884,901,888 bytes of KV cache hold 1,250,304 tokens, in 4,884 blocks of 256.
_BYTES_A_TOKEN = 12884901888 / 1250304
_DEFAULT_KV_BYTES = 12884901888
_MODEL_GIB = os.environ.get("STANDIN_MODEL_GIB", "84.02")
_CAPTURES = 5


def boot_seconds() -> float:
    """How long the boot lasts, from the meeting of the ranks to readiness."""
    ordered = faults.current.slow_boot_seconds()
    return float(os.environ.get("STANDIN_BOOT_SECONDS", "2")) if ordered is None else ordered


def kv_tokens(args) -> int:
    """Tokens that the KV cache holds, whole blocks."""
    block = args.block_size or 16
    size = args.kv_cache_memory_bytes or _DEFAULT_KV_BYTES
    # Rounded to a tenth of a token first: the measured figure is exact, its quotient is not.
    return int(round(size / _BYTES_A_TOKEN, 1) // block) * block


def run(args, snapshot, group) -> int:
    """Boots; returns the KV cache's tokens. Raises Failure."""
    rank, seconds, started = args.node_rank, boot_seconds(), time.monotonic()
    worker = f"Worker_TP{rank % args.tensor_parallel_size}"
    process.say(worker, f"Starting to load model {args.model}...", "gpu_model_runner.py:4102")
    faults.current.reach("load")
    _load(worker, rank, snapshot, seconds * 0.6)
    group.barrier("loaded")
    faults.current.reach("kv")
    tokens = _kv_cache(args, rank)
    _sleep(seconds * 0.15)
    group.barrier("kv")
    _capture(worker, rank, seconds * 0.25)
    if rank == 0:
        took = time.monotonic() - started
        process.say(
            "EngineCore",
            f"init engine (profile, create kv cache, warmup model) took {took * 0.4:.2f} s",
            "core.py:288",
        )
    group.barrier("ready")
    faults.current.reach("ready")
    return tokens


def _load(worker: str, rank: int, snapshot, seconds: float) -> None:
    shards, started = weights.shards(snapshot), time.monotonic()
    total = len(shards)
    for done, shard in enumerate(shards):
        _progress(rank, done, total, time.monotonic() - started)
        weights.read_shard(shard)
        _sleep(seconds / total)
    _progress(rank, total, total, time.monotonic() - started)
    took = time.monotonic() - started
    process.say(worker, f"Loading weights took {took:.2f} seconds", "default_loader.py:391")
    process.say(
        worker,
        f"Model loading took {_MODEL_GIB} GiB memory and {took:.6f} seconds",
        "gpu_model_runner.py:4200",
    )


def _progress(rank: int, done: int, total: int, took: float) -> None:
    # The other ranks load in silence.
    if rank != 0 or faults.current.has("silent"):
        return
    rate = f"{took / done:5.2f}s/it" if done else "?it/s"
    left = _clock(took / done * (total - done)) if done else "?"
    # tqdm writes to stderr, without the log's prefix, and begins its line with a carriage return.
    process.plain(
        f"\rLoading safetensors checkpoint shards: {done * 100 // total:3d}% Completed |"
        f" {done}/{total} [{_clock(took)}<{left}, {rate}]",
        stream=sys.stderr,
    )


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


def _kv_cache(args, rank: int) -> int:
    tokens = kv_tokens(args)
    longest = args.max_model_len
    if longest > tokens:
        gib = [f"{count * _BYTES_A_TOKEN / 2**30:.2f}" for count in (longest, tokens)]
        raise Failure(
            f"ValueError: To serve at least one request with the models's max seq len ({longest}), ({gib[0]} GiB KV"
            f" cache is needed, which is larger than the available KV cache memory ({gib[1]} GiB). Based on the"
            f" available memory, the estimated maximum model length is {tokens}. Try increasing"
            " `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
            role="EngineCore",
        )
    if rank == 0:
        process.say(
            "EngineCore",
            f"GPU KV cache size: {tokens:,} tokens, Maximum concurrency for {longest:,} tokens per request:"
            f" {tokens / longest:.2f}x",
            "kv_cache_utils.py:2327",
        )
    return tokens


def _capture(worker: str, rank: int, seconds: float) -> None:
    for done in range(_CAPTURES + 1):
        bar = "█" * (done * 2)
        if rank == 0:
            process.plain(
                f"\rCapturing CUDA graphs (mixed prefill-decode, PIECEWISE):"
                f" {done * 100 // _CAPTURES:3d}%|{bar:<10}| {done}/{_CAPTURES}",
                stream=sys.stderr,
            )
        _sleep(seconds / _CAPTURES if done < _CAPTURES else 0)
    process.say(worker, f"Graph capturing finished in {seconds:.0f} secs, took 0.35 GiB", "gpu_model_runner.py:5251")


def _sleep(seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        faults.current.checkpoint()
        time.sleep(min(left, 0.2))
    faults.current.checkpoint()
