"""Gives an argv to the image's own `vllm serve` parser, without model or GPU; the last line is the verdict."""
import contextlib
import importlib
import io
import json
import os
import signal
import sys

# As PID 1 of its container a process ignores what it does not handle.
signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
# The directory it is started in is no place of the engine's packages.
sys.path = [folder for folder in sys.path if folder]


def find_parser():
    """The subcommand and a parser that knows it; raises whatever another layout of the package gives."""
    serve = importlib.import_module("vllm.entrypoints.cli.serve").ServeSubcommand()
    try:
        utils = importlib.import_module("vllm.utils.argparse_utils")
    except ImportError:
        utils = importlib.import_module("vllm.utils")
    parser = utils.FlexibleArgumentParser(prog="vllm")
    serve.subparser_init(parser.add_subparsers(dest="subparser"))
    return serve, parser


def check(argv):
    """Verdict (accepted, refused, unknown) and the engine's own words."""
    try:
        importlib.import_module("vllm")
    except ImportError as error:
        return "unknown", f"the image's Python has no vllm package ({error})"
    said = io.StringIO()
    try:
        serve, parser = find_parser()
    except Exception as error:
        return "unknown", f"the parser of its vllm cannot be made ({named(error)})"
    try:
        with contextlib.redirect_stderr(said):
            serve.validate(parser.parse_args(["serve", *argv]))
    except SystemExit:
        return "refused", last_words(said.getvalue())
    except (TypeError, ValueError, KeyError) as error:
        return "refused", named(error)
    except Exception as error:
        return "unknown", f"the parser ended with {named(error)}"
    return "accepted", ""


def named(error):
    """As Python's own last line of a traceback."""
    return f"{type(error).__name__}: {error}"


def last_words(text):
    """What comes after the usage."""
    lines = text.strip().splitlines()
    start = next((at for at, line in enumerate(lines) if line.startswith("vllm") and " error: " in line), 0)
    return "\n".join(lines[start:]) or "it prints and ends instead of serving"


verdict, words = check(sys.argv[1:])
print("\nspark-vllm-verdict " + json.dumps({"verdict": verdict, "words": words}), flush=True)
# Threads of the engine's libraries have nothing to finish.
os._exit(0)
