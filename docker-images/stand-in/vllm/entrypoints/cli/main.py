"""The `vllm` command."""
import os
import sys

import vllm
from vllm.entrypoints.cli.serve import ServeSubcommand
from vllm.standin import faults, process
from vllm.utils.argparse_utils import FlexibleArgumentParser


def main() -> None:
    """Parses, then runs the subcommand; never returns normally from `serve`."""
    process.install_signals()
    if sys.argv[1:2] == ["serve"]:
        faults.start(peek_rank(sys.argv))
        faults.current.reach("start")
    parser = FlexibleArgumentParser(prog="vllm", description="vLLM CLI")
    parser.add_argument("-v", "--version", action="version", version=vllm.__version__)
    serve = ServeSubcommand()
    serve.subparser_init(parser.add_subparsers(required=False, dest="subparser"))
    args = parser.parse_args()
    if args.subparser != serve.name:
        parser.print_help()
        return
    serve.validate(args)
    serve.cmd(args)


def peek_rank(argv: list[str]) -> int:
    """The rank of the command line before it is parsed: orders for one rank hold from the start."""
    for word, following in zip(argv, [*argv[1:], ""]):
        name, _, value = word.partition("=")
        if name.replace("_", "-") in ("--node-rank", "-r"):
            text = value or following
            return int(text) if text.isdigit() else 0
    return int(os.environ.get("STANDIN_RANK", "0"))
