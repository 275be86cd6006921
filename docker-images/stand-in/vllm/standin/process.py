"""The rank as a process: its log lines, its phase, how it ends."""
import os
import signal
import sys
import threading
import time
from typing import NoReturn

_lock = threading.Lock()
_ends: list[tuple[float, int]] = []


def say(role: str, message: str, where: str, level: str = "INFO") -> None:
    """A line of vLLM's log; each line of a longer message gets the prefix, as there."""
    stamp = time.strftime("%m-%d %H:%M:%S")
    plain(*(f"({role} pid={os.getpid()}) {level} {stamp} [{where}] {line}" for line in message.splitlines()))


def error(role: str, message: str, where: str = "core.py:1187") -> None:
    """A line of level ERROR, tracebacks included."""
    say(role, message, where, "ERROR")


def warn(role: str, message: str, where: str) -> None:
    """A line of level WARNING."""
    say(role, message, where, "WARNING")


def plain(*lines: str, stream=None) -> None:
    """Lines without prefix, such as uvicorn's."""
    with _lock:
        (stream or sys.stdout).write("".join(f"{line}\n" for line in lines))
        (stream or sys.stdout).flush()


def end(code: int) -> NoReturn:
    """Ends the process from any thread, whatever the others wait for."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def kill() -> NoReturn:
    """Ends as the kernel's out-of-memory killer ends a process."""
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)
    # PID 1 of a container cannot kill itself by a signal; Docker shows the same code either way.
    time.sleep(0.2)
    os._exit(137)


def on_term(grace_seconds: float, code: int) -> None:
    """From now on SIGTERM ends the process with `code` after `grace_seconds`."""
    _ends.append((grace_seconds, code))


def install_signals() -> None:
    """PID 1 ignores SIGTERM unless it asks for it."""
    on_term(0.1, 0)
    signal.signal(signal.SIGTERM, _terminate)
    signal.signal(signal.SIGINT, _terminate)


def _terminate(_signum, _frame) -> None:
    threading.Thread(target=_end_slowly, daemon=True).start()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _end_slowly() -> None:
    from vllm.standin import faults

    grace_seconds, code = _ends[-1]
    ordered = faults.current.slow_term_seconds() if faults.current else None
    time.sleep(grace_seconds if ordered is None else ordered)
    end(code)


def silence() -> NoReturn:
    """What a rank does that waits for a peer for ever; signals still end it."""
    while True:
        time.sleep(3600)
