#!/usr/bin/env python3
"""Writes components/recipe/flags/vllm-<version>.json: what `vllm serve` of one version takes.

From an image that has this vLLM, on a machine with Docker and without a GPU (docs/engine-arguments.md):

    docker run --rm -i --network none --entrypoint python3 IMAGE - < scripts/flags.py > components/recipe/flags/vllm-0.32.0.json

Without it, from a dump of the parser's actions (a JSON list, or an object with it under "flags", of name, aliases,
kind, type, choices, nargs) and the unpacked wheel, whose Python files are read but not run:

    scripts/flags.py --dump vllm-serve-flags.json --package wheel/vllm --version 0.32.0 > ...

Left out of the parser's description: help, default, group, metavar, dest. What is kept is what a recipe's arguments
are checked against:
  n   name            a   aliases, without the --no- forms of switches
  k   kind: value, list (one or more words), json, json-or-string, switch, switch-no (has a --no- form), help
  t   type of a value when it is checked: int, float, size (12, 64M), size-or-auto, json, str,
      lower (case and dashes do not matter); `?` behind it: "" and None too
  c   choices         o   1: the value may be missing
"""
import argparse
import ast
import importlib.util
import json
import pathlib
import sys

KINDS = {"boolean": "switch", "boolean-optional": "switch-no"}
TYPES = {
    "int": "int",
    "float": "float",
    "human_readable_int": "size",
    "human_readable_int_or_auto": "size-or-auto",
    "loads": "json",
    "parse_dataclass": "json",
    "parse_type(loads)": "json",
    "lower-cased str": "lower",
}


def type_of(row):
    text = row.get("type") or ""
    inner = text.removeprefix("optional_type(").removesuffix(")")
    # Of text only matters whether None is a choice too.
    found = TYPES.get(inner) or ("str" if inner != text and row["choices"] else None)
    return found and found + ("?" if inner != text else "")


def slim(row):
    name, switch = row["name"], row["kind"] == "boolean-optional"
    aliases = [a for a in row["aliases"] if not (switch and a.startswith("--no-"))]
    choices = [str(c) for c in row["choices"] or [] if c is not None]
    slimmed = {
        "n": name,
        "a": aliases,
        "k": KINDS.get(row["kind"], row["kind"]),
        "t": type_of(row),
        "c": choices,
        "o": 1 if row.get("nargs") == "?" else None,
    }
    return {key: value for key, value in slimmed.items() if value}


def rows_of_parser():
    """The parser's own actions; imported here because vLLM may be absent."""
    from vllm.entrypoints.cli.serve import ServeSubcommand
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    parser = ServeSubcommand().subparser_init(FlexibleArgumentParser().add_subparsers())
    for action in parser._actions:
        names = list(action.option_strings)
        if names:
            yield row_of(action, names)


def kind_of(action, text):
    if isinstance(action, argparse._HelpAction):
        return "help"
    if isinstance(action, argparse.BooleanOptionalAction):
        return "boolean-optional"
    if action.nargs == 0:
        return "boolean"
    if "loads" in text or "parse_dataclass" in text:
        return "json"
    if "union_dict_and_str" in text:
        return "json-or-string"
    return "list" if action.nargs in ("+", "*") else "value"


def type_name(function):
    if getattr(function, "__name__", "") == "<lambda>" and lowers(function):
        return "lower-cased str"
    name = getattr(function, "__qualname__", str(function)).split("<locals>.")[-1].lstrip("_")
    cells = [c.cell_contents for c in getattr(function, "__closure__", None) or ()]
    inner = [type_name(c) for c in cells if callable(c)]
    return f"{name}({inner[0]})" if inner else name


def lowers(function):
    """Whether a function without a name is the one that makes case and dashes equal."""
    try:
        return function("A-b") == "a_b"
    except Exception:
        return False


def row_of(action, names):
    text = type_name(action.type) if action.type else ""
    long = [n for n in names if n.startswith("--") and not n.startswith("--no-")]
    name = (long or names)[0]
    return {
        "name": name,
        "aliases": [n for n in names if n != name],
        "kind": kind_of(action, text),
        "type": text,
        "choices": list(action.choices) if action.choices else None,
        "nargs": action.nargs,
    }


def strings_of_dict(file, variable):
    for node in ast.walk(ast.parse(file.read_text())):
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        if any(getattr(t, "id", None) == variable for t in targets) and isinstance(node.value, ast.Dict):
            return sorted(k.value for k in node.value.keys if isinstance(k, ast.Constant))
    raise SystemExit(f"{variable} not found in {file}")


def names_of_enum(file, name):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ClassDef) and node.name == name:
            return sorted(n.targets[0].id for n in node.body if isinstance(n, ast.Assign))
    raise SystemExit(f"{name} not found in {file}")


def installed_version():
    """As the package says, less what tells one build from another (0.32.0+cpu)."""
    import vllm

    return vllm.__version__.split("+")[0]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--dump", type=pathlib.Path)
    options.add_argument("--package", type=pathlib.Path)
    options.add_argument("--version", help="default: that of the installed vLLM")
    given = options.parse_args()
    if given.dump:
        dump = json.loads(given.dump.read_text())
        rows = [r for r in dump["flags"] if not r.get("positional")]
    else:
        rows = list(rows_of_parser())
    package = given.package or pathlib.Path(importlib.util.find_spec("vllm").origin).parent
    backends = names_of_enum(package / "v1/attention/backends/registry.py", "AttentionBackendEnum")
    variables = strings_of_dict(package / "envs.py", "environment_variables")
    # One row a line: a change between versions is then a readable diff.
    lines = ",\n".join("  " + json.dumps(slim(row), separators=(",", ":")) for row in rows)
    names = [v for v in variables if v.startswith("VLLM_")]
    sys.stdout.write(
        f'{{\n "version": {json.dumps(given.version or installed_version())},\n "flags": [\n{lines}\n ],\n'
        f' "attentionBackends": {json.dumps(backends)},\n "variables": {json.dumps(names)}\n}}\n'
    )


main()
