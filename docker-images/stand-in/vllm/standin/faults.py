"""Fault orders: a file on the node that tells a rank to fail. Read at start and again every 0.2 s."""
import os
import sys
import threading
import time
from pathlib import Path

from vllm.standin import process
from vllm.standin.orders import Order, parse_orders

PERIOD_SECONDS = 0.2
LAB = Path(os.environ.get("STANDIN_LAB_DIR", "/run/spark-lab"))

current: "Faults" = None  # type: ignore[assignment]


def start(rank: int) -> None:
    """Reads the orders and begins to watch the file."""
    global current
    file = Path(os.environ.get("STANDIN_FAULT_FILE", LAB / "fault"))
    current = Faults(file, rank, Path(os.environ.get("STANDIN_STATE_DIR", "/tmp")))
    threading.Thread(target=current.watch, daemon=True).start()


class Faults:
    """The orders for this rank and the stage that it has reached."""

    def __init__(self, file: Path, rank: int, state: Path):
        self._file, self._rank, self._state = file, rank, state
        self._started = time.monotonic()
        self._stage = ""
        self._printed: set[str] = set()
        self._spent: set[str] = set()
        self._text = ""
        self._lock = threading.Lock()
        self.orders: list[Order] = []
        self._read()

    def reach(self, stage: str) -> None:
        """The rank enters a stage: orders for it happen now; returns once none says to hang."""
        with self._lock:
            self._stage = stage
        self.checkpoint()

    def checkpoint(self) -> None:
        """Called wherever a rank may stand still: blocks while an order says to hang."""
        self._act()
        while any(order.kind == "hang" and order.stage == self._stage for order in self._live()):
            time.sleep(PERIOD_SECONDS / 4)

    def has(self, kind: str) -> bool:
        """Is there an order of this kind, such as `health-only`?"""
        return any(order.kind == kind for order in self._live())

    def slow_boot_seconds(self) -> float | None:
        """How long the boot shall last, if ordered."""
        return self._seconds("slow-boot")

    def slow_term_seconds(self) -> float | None:
        """How long SIGTERM shall take, if ordered."""
        return self._seconds("slow-term")

    def watch(self) -> None:
        """Follows the file for as long as the process lives."""
        while True:
            time.sleep(PERIOD_SECONDS)
            self._read()
            self._act()

    def _seconds(self, kind: str) -> float | None:
        return next((order.seconds for order in self._live() if order.kind == kind), None)

    def _live(self) -> list[Order]:
        return [order for order in self.orders if order.rank in (None, self._rank) and not self._is_spent(order)]

    def _read(self) -> None:
        try:
            text = self._file.read_text(encoding="utf-8")
        except OSError:
            text = ""
        if text == self._text:
            return
        self._text = text
        self.orders, unreadable = parse_orders(text)
        for line in unreadable:
            process.plain(f"stand-in: unreadable fault order: {line}", stream=sys.stderr)

    def _act(self) -> None:
        with self._lock:
            for order in self._live():
                if order.stage == self._stage and order.kind == "print" and order.text not in self._printed:
                    self._printed.add(order.text)
                    process.plain(order.text)
            for order in self._live():
                if order.kind in ("exit", "oom") and self._is_due(order):
                    self._end(order)
            for order in self._live():
                if order.kind == "hang" and order.once and order.stage == self._stage:
                    self._note(order)

    def _is_due(self, order: Order) -> bool:
        if order.stage is None:
            return time.monotonic() - self._started >= order.seconds
        return order.stage == self._stage

    def _end(self, order: Order) -> None:
        if order.once:
            self._note(order)
        if order.kind == "oom":
            process.kill()
        process.plain(f"RuntimeError: fault order: {order.line}")
        process.end(order.code)

    def _note(self, order: Order) -> None:
        self._marker(order).touch()
        self._spent.add(order.line)

    def _is_spent(self, order: Order) -> bool:
        # An order that this very start obeyed stays in force until the next start.
        return order.once and order.line not in self._spent and self._marker(order).exists()

    def _marker(self, order: Order) -> Path:
        return self._state / f"stand-in-once-{order.key}"
