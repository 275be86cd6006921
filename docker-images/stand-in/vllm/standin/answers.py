"""What the stand-in says: deterministic, and tied to what it was asked so that a test can tell."""
import hashlib
import json
import re
from dataclasses import dataclass, field

from vllm.standin import images

# The recipe's model caps an image at 384 tokens; 28 x 28 pixels make one below that.
_IMAGE_TOKENS, _PATCH_PIXELS = 384, 28 * 28


@dataclass
class Answer:
    """Text or a tool call, with the prompt's size."""

    prompt_tokens: int
    text: str
    images: int = 0
    tool: dict | None = None
    tokens: list[str] = field(default_factory=list)
    finish: str = "stop"

    def limit(self, most: int) -> "Answer":
        """At most this many tokens, as max_tokens asks."""
        self.tokens = tokens_of(self.text if self.tool is None else self.tool["arguments"])
        if len(self.tokens) > most:
            self.tokens, self.finish = self.tokens[:most], "length"
        if self.tool is None:
            self.text = "".join(self.tokens)
        return self


def tokens_of(text: str) -> list[str]:
    """Words with the space in front of them, and signs."""
    return re.findall(r"\s*\w+|\s*[^\w\s]|\s+", text)


def digest(text: str) -> str:
    """Eight digits that change with the prompt."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def complete(prompt: str) -> Answer:
    """An answer to /v1/completions."""
    return Answer(len(tokens_of(prompt)) + 1, f" stand-in {digest(prompt)} read: {prompt[-400:]}")


def chat(messages: list, tools: list, choice) -> Answer:
    """An answer to /v1/chat/completions; raises images.BadImage."""
    texts, seen = _read(messages)
    asked = texts[-1] if texts else ""
    prompt_tokens = sum(len(tokens_of(text)) + 4 for text in texts) + sum(map(_image_tokens, seen))
    tool = _tool_call(tools, choice, asked)
    said = [f"stand-in {digest(chr(10).join(texts))} read: {asked[-400:]}"]
    for number, image in enumerate(seen, 1):
        mean = "#%02x%02x%02x" % image.mean
        said.append(f"Image {number} is {image.width}x{image.height} pixels, mostly {image.colour} (mean {mean}).")
    return Answer(prompt_tokens, " ".join(said), len(seen), tool)


def _read(messages: list) -> tuple[list[str], list[images.Image]]:
    texts: list[str] = []
    seen: list[images.Image] = []
    for message in messages:
        content = message.get("content") or ""
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            if part.get("type") == "image_url":
                seen.append(images.read_data_url(part["image_url"]["url"]))
            else:
                texts.append(str(part.get("text", "")))
    return texts, seen


def _image_tokens(image: images.Image) -> int:
    return min(_IMAGE_TOKENS, max(1, image.width * image.height // _PATCH_PIXELS))


def _tool_call(tools: list, choice, asked: str) -> dict | None:
    if not tools or choice == "none":
        return None
    named = choice["function"]["name"] if isinstance(choice, dict) else None
    function = next((tool["function"] for tool in tools if tool["function"]["name"] == named), tools[0]["function"])
    schema = (function.get("parameters") or {}).get("properties") or {}
    arguments = {name: _example(value, asked) for name, value in schema.items()}
    return {"name": function["name"], "arguments": json.dumps(arguments, ensure_ascii=False)}


def _example(schema: dict, asked: str):
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type", "string")
    return {"integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}}.get(kind, asked[-80:])
