"""Starts `vllm serve` once for each command line of a JSON list and prints, as JSON, how each ended.

One process imports vLLM and forks for each, because the import takes longer than all else. Works with the real package
and with the stand-in: both have the same entry point. A command line that has not ended after `limit` seconds counts as
a hang.
"""
import importlib
import json
import os
import signal
import sys
import tempfile
import time

limit = 150
main = importlib.import_module("vllm.entrypoints.cli.main").main
for name in ("vllm.entrypoints.openai.api_server", "vllm.engine.arg_utils"):
    try:
        importlib.import_module(name)
    except ImportError:
        pass  # the stand-in is smaller


def child(words, file):
    os.setsid()
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.argv = ["vllm", "serve", *words]
    code = 0
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def run(words):
    with tempfile.TemporaryFile() as file:
        pid = os.fork()
        if pid == 0:
            child(words, file.fileno())
        end = time.monotonic() + limit
        status = None
        while status is None and time.monotonic() < end:
            ended, value = os.waitpid(pid, os.WNOHANG)
            if ended:
                status = os.waitstatus_to_exitcode(value)
            time.sleep(0.05)
        if status is None:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        file.seek(0)
        return {"code": status, "output": file.read().decode(errors="replace")}


print("\n" + json.dumps([run(words) for words in json.loads(sys.argv[1])]))
