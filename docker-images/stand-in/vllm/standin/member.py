"""A worker's side of the group."""
import time
from typing import NoReturn

from vllm.standin import fabric, faults, process
from vllm.standin.failure import Failure
from vllm.standin.wire import PeerClosed, PeerSilent, Wire, dial


class Member:
    """One rank that follows the head. Without its head it stays up in silence for ever, as measured."""

    def __init__(self, rank: int, world: int, timeout_seconds: float):
        self._rank, self._world, self._timeout = rank, world, timeout_seconds
        self._store: Wire
        self._nccl: Wire
        self._queue: Wire

    def join(self, address: str, port: int) -> None:
        """Meets the head at the master address; raises Failure after two tries of the time limit."""
        self._store = self._dial_store(address, port)
        self._send(self._store, {"rank": self._rank, "world": self._world})
        places = self._receive(self._store)
        fabric.gloo_address()
        source = fabric.nccl_address()
        try:
            fabric.check_rdma()
        except fabric.HandshakeHang:
            process.silence()
        self._nccl = _reach(places["nccl"], source)
        self._queue = _reach(places["queue"], "")
        hello = {"rank": self._rank, "generation": places["generation"]}
        self._send(self._nccl, hello)
        self._send(self._queue, hello)

    def _dial_store(self, address: str, port: int) -> Wire:
        for attempt in (1, 2):
            end = time.monotonic() + self._timeout
            while True:
                faults.current.checkpoint()
                try:
                    return dial((address, port), min(end, time.monotonic() + 0.2))
                except PeerSilent as silent:
                    if time.monotonic() < end:
                        continue
                    process.warn(
                        "Worker",
                        f"TCP client failed to connect/validate to host {address}:{port} - timed out (try={attempt},"
                        f" timeout={int(self._timeout * 1000)}ms): {silent}",
                        "TCPStore.cpp:140",
                    )
                    break
        raise Failure(
            f"torch.distributed.DistNetworkError: The client socket has timed out after {int(self._timeout * 1000)}ms"
            f" while trying to connect to ({address}, {port}).",
            role="Worker",
        )

    def barrier(self, name: str) -> None:
        """Reports that this rank reached `name` and waits for all."""
        self._send(self._nccl, {"at": name})
        self._receive(self._nccl)

    def follow(self) -> NoReturn:
        """Answers each step of the head; never returns."""
        while True:
            message = self._receive(self._queue)
            faults.current.checkpoint()
            self._send(self._nccl, message)

    def _send(self, wire: Wire, message: dict) -> None:
        try:
            wire.send(message)
        except PeerClosed:
            process.silence()

    def _receive(self, wire: Wire) -> dict:
        try:
            return wire.receive()
        except PeerClosed:
            process.silence()


def _reach(address: list, source: str) -> Wire:
    # ZeroMQ and NCCL try again in silence for as long as it takes.
    return dial((address[0], address[1]), float("inf"), source)
