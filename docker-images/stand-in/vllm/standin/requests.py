"""Requests of the OpenAI API as the stand-in reads and answers them."""
import json
import time
import uuid
from dataclasses import dataclass

from vllm.standin import answers, images


class Refused(Exception):
    """An answer of code 400 or 404."""

    def __init__(self, message: str, code: int = 400, kind: str = "BadRequestError", param: str | None = None):
        super().__init__(message)
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
        self.code = code


@dataclass(frozen=True)
class Served:
    """What the head serves and allows."""

    names: list[str]
    root: str
    max_model_len: int
    auto_tools: bool
    max_images: int


@dataclass
class Job:
    """A request with its answer, ready to run."""

    kind: str
    model: str
    answer: answers.Answer
    stream: bool
    include_usage: bool
    id: str
    created: int

    def usage(self) -> dict:
        """Tokens of prompt and answer."""
        prompt, made = self.answer.prompt_tokens, len(self.answer.tokens)
        return {"prompt_tokens": prompt, "total_tokens": prompt + made, "completion_tokens": made}


def read_job(kind: str, raw: bytes, served: Served) -> Job:
    """The job of a body; raises Refused."""
    try:
        body = json.loads(raw)
        if not isinstance(body, dict):
            raise ValueError("not an object")
    except ValueError as error:
        raise Refused(f"Invalid JSON: {error}") from error
    model = body.get("model") or served.names[0]
    if model not in served.names:
        raise Refused(f"The model `{model}` does not exist.", 404, "NotFoundError", "model")
    try:
        answer = _chat(body, served) if kind == "chat" else _complete(body)
    except images.BadImage as bad:
        raise Refused(str(bad)) from bad
    except (KeyError, TypeError, AttributeError) as error:
        raise Refused(f"1 validation error: {error!r}") from error
    _limit(answer, body, served, kind)
    prefix = "chatcmpl" if kind == "chat" else "cmpl"
    options = body.get("stream_options") or {}
    return Job(
        kind, model, answer, bool(body.get("stream")), bool(options.get("include_usage")),
        f"{prefix}-{uuid.uuid4().hex}", int(time.time()),
    )


def _complete(body: dict) -> answers.Answer:
    prompt = body["prompt"]
    return answers.complete(prompt if isinstance(prompt, str) else json.dumps(prompt))


def _chat(body: dict, served: Served) -> answers.Answer:
    tools, choice = body.get("tools") or [], body.get("tool_choice", "auto")
    if tools and choice == "auto" and not served.auto_tools:
        raise Refused('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')
    answer = answers.chat(body["messages"], tools, choice)
    if answer.images > served.max_images:
        raise Refused(f"At most {served.max_images} image(s) may be provided in one prompt.")
    return answer


def _limit(answer: answers.Answer, body: dict, served: Served, kind: str) -> None:
    asked = body.get("max_completion_tokens") or body.get("max_tokens")
    room = served.max_model_len - answer.prompt_tokens
    most = asked if asked is not None else (room if kind == "chat" else 16)
    if most < 1 and asked is not None:
        raise Refused(f"max_tokens must be at least 1, got {asked}.", param="max_tokens")
    if room < 1 or most > room:
        raise Refused(
            f"This model's maximum context length is {served.max_model_len} tokens. However, you requested"
            f" {most} output tokens and your prompt contains {answer.prompt_tokens} input tokens, for a total of"
            f" {most + answer.prompt_tokens} tokens. Please reduce the length of the input prompt or the number of"
            " requested output tokens.",
            param="input_tokens",
        )
    answer.limit(most)
