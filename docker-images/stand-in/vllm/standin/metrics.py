"""/metrics in Prometheus' text format, with vLLM's names."""


def render(engine, model: str) -> str:
    """All series of the one engine."""
    counts = engine.counts
    label = f'engine="0",model_name="{model}"'
    lines: list[str] = []

    def series(name: str, kind: str, text: str, value: float, extra: str = "") -> None:
        if not any(line == f"# TYPE {_family(name)} {kind}" for line in lines):
            lines.extend((f"# HELP {_family(name)} {text}", f"# TYPE {_family(name)} {kind}"))
        lines.append(f"{name}{{{label}{extra}}} {float(value)}")

    series("vllm:num_requests_running", "gauge", "Number of requests in model execution batches.", counts["running"])
    series("vllm:num_requests_waiting", "gauge", "Number of requests waiting to be processed.", counts["waiting"])
    series("vllm:kv_cache_usage_perc", "gauge", "KV-cache usage. 1 means 100 percent usage.", engine.kv_usage)
    series("vllm:prompt_tokens_total", "counter", "Number of prefill tokens processed.", counts["prompt"])
    series("vllm:generation_tokens_total", "counter", "Number of generation tokens processed.", counts["generated"])
    for reason in ("stop", "length"):
        text = "Count of successfully processed requests."
        series("vllm:request_success_total", "counter", text, counts[reason], f',finished_reason="{reason}"')
    done = counts["stop"] + counts["length"]
    for name, text, total in (
        ("vllm:time_to_first_token_seconds", "Histogram of time to first token in seconds.", counts["first_seconds"]),
        ("vllm:e2e_request_latency_seconds", "Histogram of e2e request latency in seconds.", counts["seconds"]),
    ):
        series(f"{name}_bucket", "histogram", text, done, ',le="+Inf"')
        series(f"{name}_count", "histogram", text, done)
        series(f"{name}_sum", "histogram", text, total)
    return "\n".join(lines) + "\n"


def _family(name: str) -> str:
    # A counter's family keeps _total in the text format; a histogram's parts share one family.
    for suffix in ("_bucket", "_count", "_sum"):
        name = name.removesuffix(suffix)
    return name
