"""The JSON of answers: whole and in chunks."""
from vllm.standin.requests import Job, Served


def models(served: Served, created: int) -> dict:
    """/v1/models."""
    return {
        "object": "list",
        "data": [
            {
                "id": name, "object": "model", "created": created, "owned_by": "vllm", "root": served.root,
                "parent": None, "max_model_len": served.max_model_len, "permission": [],
            }
            for name in served.names
        ],
    }


def whole(job: Job) -> dict:
    """The answer in one piece."""
    if job.kind == "chat":
        body = {"index": 0, "message": _message(job), "logprobs": None, "finish_reason": _finish(job)}
        name = "chat.completion"
    else:
        body = {"index": 0, "text": job.answer.text, "logprobs": None, "finish_reason": job.answer.finish}
        name = "text_completion"
    return {**_head(job, name), "choices": [{**body, "stop_reason": None}], "usage": job.usage()}


def first(job: Job) -> dict | None:
    """A chat's stream begins with the role."""
    if job.kind != "chat":
        return None
    return _chunk(job, {"role": "assistant", "content": ""}, None)


def part(job: Job, token: str, index: int) -> dict:
    """One token of a stream."""
    if job.kind != "chat":
        choice = {"index": 0, "text": token, "logprobs": None, "finish_reason": None, "stop_reason": None}
        return {**_head(job, "text_completion"), "choices": [choice]}
    tool = job.answer.tool
    if tool is None:
        return _chunk(job, {"content": token}, None)
    start = {"id": _call_id(job), "type": "function"} if index == 0 else {}
    name = {"name": tool["name"]} if index == 0 else {}
    return _chunk(job, {"tool_calls": [{"index": 0, **start, "function": {**name, "arguments": token}}]}, None)


def last(job: Job) -> dict:
    """The chunk that tells why the stream ends."""
    if job.kind == "chat":
        return _chunk(job, {}, _finish(job))
    choice = {
        "index": 0, "text": "", "logprobs": None, "finish_reason": job.answer.finish, "stop_reason": None,
    }
    return {**_head(job, "text_completion"), "choices": [choice]}


def usage(job: Job) -> dict:
    """The chunk that stream_options.include_usage asks for."""
    name = "chat.completion.chunk" if job.kind == "chat" else "text_completion"
    return {**_head(job, name), "choices": [], "usage": job.usage()}


def _head(job: Job, name: str) -> dict:
    return {"id": job.id, "object": name, "created": job.created, "model": job.model}


def _chunk(job: Job, delta: dict, finish: str | None) -> dict:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {**_head(job, "chat.completion.chunk"), "choices": [choice]}


def _message(job: Job) -> dict:
    tool = job.answer.tool
    if tool is None:
        return {"role": "assistant", "content": job.answer.text, "reasoning": None, "tool_calls": []}
    call = {"id": _call_id(job), "type": "function", "function": tool}
    return {"role": "assistant", "content": None, "reasoning": None, "tool_calls": [call]}


def _finish(job: Job) -> str:
    return "tool_calls" if job.answer.tool and job.answer.finish == "stop" else job.answer.finish


def _call_id(job: Job) -> str:
    return f"chatcmpl-tool-{job.id[-16:]}"
