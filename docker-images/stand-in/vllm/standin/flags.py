"""The flag table (flags.jsonl) as arguments of a parser, with vLLM's conversions and their wording."""
import argparse
import json
import re
from pathlib import Path

# Figures of the measured engine: lower case counts in thousands, upper case in 1024s.
_UNITS = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def table() -> list[dict]:
    """All flags, one a line of the file."""
    text = (Path(__file__).parent.parent / "flags.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Adds every flag of the table."""
    for flag in table():
        names = [flag["name"], *flag.get("aliases", [])]
        parser.add_argument(*names, **_options(flag))


def _options(flag: dict) -> dict:
    kind = flag["kind"]
    options: dict = {"default": argparse.SUPPRESS if flag.get("suppress") else flag.get("default")}
    if flag["name"].startswith("-"):
        options["dest"] = flag["dest"]
    if kind == "boolean":
        return {**options, "default": False, "action": "store_true"}
    if kind == "boolean-optional":
        return {**options, "default": flag.get("default", False), "action": argparse.BooleanOptionalAction}
    if flag.get("append"):
        options["action"] = "append"
    options["type"] = conversion(flag.get("type"))
    if "choices" in flag:
        options["choices"] = flag["choices"]
    if "nargs" in flag:
        options["nargs"] = flag["nargs"]
        if flag["name"] == "--hf-token":
            options["const"] = True
    return options


def conversion(name: str | None):
    """The function behind a type's name in the table, such as `optional_type(human_readable_int)`."""
    match = re.fullmatch(r"(optional_type|parse_type)\((.+)\)", name or "str")
    if match is None:
        return _PLAIN[name or "str"]
    outer, inner = match.groups()
    convert = conversion(inner)
    return _optional(convert) if outer == "optional_type" else _checked(convert)


def _checked(convert):
    def parse_type(text: str):
        try:
            return convert(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"Value {text} cannot be converted to {convert}.") from error

    return parse_type


def _optional(convert):
    checked = _checked(convert)

    def optional_type(text: str):
        return None if text in ("", "None") else checked(text)

    return optional_type


def human_readable_int(text: str) -> int:
    """`8k` = 8000, `64M` = 64 x 1024^2."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([kKmMgGtT])", text.strip())
    return int(float(match[1]) * _UNITS[match[2]]) if match else int(text)


def human_readable_int_or_auto(text: str) -> int:
    """As human_readable_int; `auto` is -1."""
    return -1 if text.strip().lower() in ("auto", "-1") else human_readable_int(text)


def union_dict_and_str(text: str):
    """JSON if it looks like an object, else the text itself."""
    return _optional(json.loads)(text) if re.fullmatch(r"\s*{.*}\s*", text, re.DOTALL) else text


def parse_dataclass(text: str):
    """A JSON object; the keys are not checked here."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"1 validation error: Invalid JSON: {error} [type=json_invalid, input_value={text!r}, input_type=str]"
        ) from error


def _lower(text: str) -> str:
    return text.lower().replace("-", "_")


_PLAIN = {
    "str": str,
    "int": int,
    "float": float,
    "loads": json.loads,
    "parse_dataclass": parse_dataclass,
    "lower-cased str": _lower,
    "human_readable_int": human_readable_int,
    "human_readable_int_or_auto": human_readable_int_or_auto,
    "union_dict_and_str": union_dict_and_str,
}
