"""What stock vLLM knows of a rank's arguments and variables, as JSON: `python3 -c known.py '{"argv": [...], "env": [...]}'`."""
import argparse
import contextlib
import io
import json
import sys

from vllm import envs
from vllm.entrypoints.cli.serve import ServeSubcommand
from vllm.utils.argparse_utils import FlexibleArgumentParser
from vllm.v1.attention.backends.registry import AttentionBackendEnum

given = json.loads(sys.argv[1])


def parse(words):
    """What the parser makes of one flag: (value by name, words that it does not know, its refusal)."""
    parser = FlexibleArgumentParser(prog="vllm")
    ServeSubcommand().subparser_init(parser.add_subparsers(dest="subparser"))
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            _, unknown = parser.parse_known_args(["serve", "some/model", *words])
    except (SystemExit, argparse.ArgumentError):
        return [], said.getvalue().strip().splitlines()[-1:]
    return unknown, []


flags = ServeSubcommand().subparser_init(FlexibleArgumentParser().add_subparsers())._option_string_actions
result = {"unknown": [], "refused": [], "abbreviated": [], "backends": [], "variables": []}
words = given["argv"]
starts = [at for at, word in enumerate(words) if word.startswith("--")]
for at, end in zip(starts, [*starts[1:], len(words)]):
    flag, values = words[at], words[at + 1 : end]
    unknown, refused = parse([flag, *values])
    result["unknown"] += [flag] if unknown else []
    result["refused"] += refused
    if flag not in flags and not unknown:
        result["abbreviated"].append(flag)
    if flag == "--attention-backend" and values[0] not in AttentionBackendEnum.__members__:
        result["backends"].append(values[0])
known = set(envs.environment_variables)
result["variables"] = [name for name in given["env"] if name.startswith("VLLM_") and name not in known]
print("\n" + json.dumps(result))
