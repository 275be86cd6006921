"""An argument parser with vLLM's liberties in the spelling of flags."""
import argparse
import json
import re
import sys


class FlexibleArgumentParser(argparse.ArgumentParser):
    """Underscores equal dashes, `--flag.key value` builds JSON, `-O3` is a value; prefixes are argparse's own."""

    def parse_args(self, args=None, namespace=None):
        """As argparse's, on the words in their plain spelling."""
        words = sys.argv[1:] if args is None else list(args)
        return super().parse_args(_fold_dotted(_plain(words)), namespace)


def _plain(words: list[str]) -> list[str]:
    plain: list[str] = []
    for word in words:
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            head, dot, keys = name.partition(".")
            plain.append(head.replace("_", "-") + dot + keys + equals + value)
        elif re.fullmatch(r"-O=?\d+", word):
            plain += ["--optimization-level", word.lstrip("-O=")]
        else:
            plain.append(word)
    return plain


def _fold_dotted(words: list[str]) -> list[str]:
    """`--flag.a.b 1 --flag.c+ x` becomes `--flag '{"a": {"b": 1}, "c": ["x"]}'`."""
    kept: list[str] = []
    folded: dict[str, dict] = {}
    rest = iter(words)
    for word in rest:
        match = re.fullmatch(r"(--[a-z0-9-]+|-[a-z]+)\.([^=]+)(?:=(.*))?", word, re.DOTALL)
        if match is None:
            kept.append(word)
            continue
        flag, path, value = match.groups()
        _put(folded.setdefault(flag, {}), path, next(rest, "") if value is None else value)
    for flag, value in folded.items():
        kept += [flag, json.dumps(value)]
    return kept


def _put(target: dict, path: str, text: str) -> None:
    *parents, last = path.split(".")
    for parent in parents:
        target = target.setdefault(parent, {})
    value = _value(text)
    if not last.endswith("+"):
        target[last] = value
        return
    target.setdefault(last[:-1], []).extend(value if isinstance(value, list) else [value])


def _value(text: str):
    try:
        return json.loads(text)
    except ValueError:
        return text
