"""The language of fault orders: one a line, `#` starts a comment."""
import hashlib
import re
from dataclasses import dataclass

STAGES = ("start", "args", "rendezvous", "load", "kv", "ready", "serving")

_STAGE = f"(?P<stage>{'|'.join(STAGES)})(?P<once> once)?"
_SECONDS = r"(?P<seconds>\d+(?:\.\d+)?)"
_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        rf"(?P<kind>exit) (?P<code>\d+) at {_STAGE}",
        rf"(?P<kind>exit) (?P<code>\d+) after {_SECONDS}(?P<once> once)?",
        rf"(?P<kind>hang|oom) at {_STAGE}",
        rf"(?P<kind>print) (?P<text>.+) at {_STAGE}",
        rf"(?P<kind>slow-boot|slow-term) {_SECONDS}",
        r"(?P<kind>silent|health-only|completion-500)",
    )
]


@dataclass(frozen=True)
class Order:
    """One line of the file."""

    line: str
    kind: str
    rank: int | None
    stage: str | None
    code: int
    seconds: float
    text: str
    once: bool

    @property
    def key(self) -> str:
        """Names the order in the file that tells it was obeyed."""
        return hashlib.sha256(self.line.encode()).hexdigest()[:12]


def parse_orders(text: str) -> tuple[list[Order], list[str]]:
    """The orders, and the lines that are none."""
    orders: list[Order] = []
    unreadable: list[str] = []
    for raw in text.splitlines():
        line = raw.split("#")[0].strip()
        if not line:
            continue
        order = _parse(line)
        if order is None:
            unreadable.append(line)
        else:
            orders.append(order)
    return orders, unreadable


def _parse(line: str) -> Order | None:
    prefix = re.match(r"rank=(\d+)\s+", line)
    rest = line[prefix.end() :] if prefix else line
    for pattern in _PATTERNS:
        match = pattern.fullmatch(rest)
        if match is None:
            continue
        found = match.groupdict()
        return Order(
            line=line,
            kind=found["kind"],
            rank=int(prefix[1]) if prefix else None,
            stage=found.get("stage"),
            code=int(found.get("code") or 0),
            seconds=float(found.get("seconds") or 0),
            text=found.get("text") or "",
            once=bool(found.get("once")),
        )
    return None
