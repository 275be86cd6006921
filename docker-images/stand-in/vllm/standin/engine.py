"""The engine behind the API: every token is a step of all ranks."""
import os
import threading
import time
from typing import Iterator

from vllm.standin import faults, process
from vllm.standin.wire import PeerClosed, PeerSilent

_TOKEN_SECONDS = float(os.environ.get("STANDIN_TOKEN_SECONDS", "0.002"))
_EXIT_SECONDS = 0.5


class EngineDead(Exception):
    """The engine is gone; the process ends soon."""


class OrderedFailure(Exception):
    """A fault order says that completions fail."""


class Engine:
    """Runs steps one at a time and counts for /metrics."""

    def __init__(self, group, max_num_seqs: int, kv_tokens: int):
        self._group, self._kv_tokens = group, kv_tokens
        self._slots = threading.Semaphore(max_num_seqs)
        self._lock = threading.Lock()
        self._steps = 0
        self._used = 0
        self._timeout = float(os.environ.get("VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS") or 300)
        self.dead = False
        self.counts = {
            "running": 0, "waiting": 0, "prompt": 0, "generated": 0, "stop": 0, "length": 0,
            "first_seconds": 0.0, "seconds": 0.0,
        }

    @property
    def kv_usage(self) -> float:
        """Share of the KV cache in use, 0 to 1."""
        return min(self._used / self._kv_tokens, 1.0)

    def generate(self, prompt_tokens: int, tokens: list[str], finish: str) -> Iterator[str]:
        """Yields the tokens, one step each; raises EngineDead or OrderedFailure."""
        started = time.monotonic()
        self.counts["waiting"] += 1
        with self._slots:
            self.counts["waiting"] -= 1
            self.counts["running"] += 1
            self._used += prompt_tokens + len(tokens)
            try:
                for index, token in enumerate(tokens):
                    self._step()
                    self.counts["first_seconds"] += time.monotonic() - started if index == 0 else 0
                    self.counts["generated"] += 1
                    yield token
                self.counts["prompt"] += prompt_tokens
                self.counts[finish] += 1
                self.counts["seconds"] += time.monotonic() - started
            finally:
                self.counts["running"] -= 1
                self._used -= prompt_tokens + len(tokens)

    def _step(self) -> None:
        while faults.current.has("health-only"):
            time.sleep(0.1)
        faults.current.checkpoint()
        if faults.current.has("completion-500"):
            raise OrderedFailure
        with self._lock:
            if self.dead:
                raise EngineDead
            self._steps += 1
            try:
                self._group.step(self._steps, self._timeout)
            except PeerClosed as closed:
                self._die(
                    "RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:547] Connection closed by"
                    f" peer [{closed}]"
                )
            except PeerSilent:
                self._die("TimeoutError: RPC call to execute_model timed out.")
        time.sleep(_TOKEN_SECONDS)

    def _die(self, cause: str) -> None:
        self.dead = True
        process.error(
            "EngineCore", "EngineCore encountered a fatal error.\nTraceback (most recent call last):\n" + cause
        )
        process.error(
            "APIServer",
            "AsyncLLM output_handler failed.\nvllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an"
            " issue. See stack trace (above) for the root cause.",
            "async_llm.py:707",
        )
        threading.Thread(target=_end, daemon=True).start()
        raise EngineDead


def _end() -> None:
    # The answers on their way go out first; /health is 503 meanwhile.
    time.sleep(_EXIT_SECONDS)
    process.plain(
        "INFO:     Shutting down",
        "INFO:     Waiting for application shutdown.",
        "INFO:     Application shutdown complete.",
        f"INFO:     Finished server process [{os.getpid()}]",
    )
    # Code 0, as measured: the engine's death is no failure of the API server.
    process.end(0)
