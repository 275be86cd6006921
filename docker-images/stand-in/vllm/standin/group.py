"""The head's side of the group: the store at the master address, then one channel to each worker."""
import os
import secrets
import socket
import time

from vllm.standin import fabric, faults, interfaces, process
from vllm.standin.failure import Failure
from vllm.standin.wire import PeerClosed, PeerSilent, Wire, listen

class HeadGroup:
    """Rank 0's view of all ranks. A closed group never opens again: a lost rank is lost for good."""

    def __init__(self, world: int, timeout_seconds: float):
        self._world, self._timeout = world, timeout_seconds
        self._stores: dict[int, Wire] = {}
        self._nccl: dict[int, Wire] = {}
        self._queues: dict[int, Wire] = {}
        self._generation = secrets.token_hex(8)

    def gather(self, address: str, port: int) -> None:
        """Waits for all ranks at the master address; raises Failure at the time limit."""
        started = time.monotonic()
        store = self._store(address, port)
        while len(self._stores) < self._world - 1:
            faults.current.checkpoint()
            if time.monotonic() - started > self._timeout:
                raise self._timed_out()
            wire = _accept(store, 0.2) if store else time.sleep(0.2)
            hello = _hello(wire)
            # A rank of another group size waits in vain, as it would in the real store.
            if wire and hello.get("world") == self._world and hello.get("rank") not in self._stores:
                self._stores[hello["rank"]] = wire
        self._connect(started + self._timeout)

    def _store(self, address: str, port: int) -> socket.socket | None:
        try:
            return listen(address, port)
        except OSError as error:
            if error.errno == 98:
                raise Failure(
                    "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network"
                    f" address. port: {port}, useIpv6: false, code: -98, name: EADDRINUSE, message: address already"
                    " in use",
                    role="EngineCore",
                ) from error
            return None  # Not this machine's address: nobody can arrive.

    def _connect(self, deadline: float) -> None:
        gloo = fabric.gloo_address()
        if gloo.startswith("127.") and not os.environ.get("GLOO_SOCKET_IFNAME"):
            raise Failure(
                "RuntimeError: Gloo connectFullMesh failed with [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc"
                f":144] no error. Connection refused, remote=[{gloo}]",
                role="EngineCore",
            )
        nccl, queue = listen(fabric.nccl_address(), 0), self._queue()
        for rank, store in self._stores.items():
            store.send(
                {"generation": self._generation, "nccl": nccl.getsockname()[:2], "queue": queue.getsockname()[:2]}
            )
        try:
            fabric.check_rdma()
        except fabric.HandshakeHang:
            self._wait_until(deadline)
            raise self._timed_out() from None
        for listener, wires in ((nccl, self._nccl), (queue, self._queues)):
            while len(wires) < self._world - 1:
                faults.current.checkpoint()
                if time.monotonic() > deadline:
                    raise self._timed_out()
                wire = _accept(listener, 0.2)
                hello = _hello(wire)
                if wire and hello.get("generation") == self._generation:
                    wires[hello["rank"]] = wire

    def _queue(self) -> socket.socket:
        address = interfaces.own_address() or "0.0.0.0"
        try:
            return listen(address, 0)
        except OSError as error:
            raise Failure(
                f"zmq.error.ZMQError: Cannot assign requested address (addr='tcp://{address}')",
                role="EngineCore",
            ) from error

    def barrier(self, name: str) -> None:
        """All ranks have reached `name`; raises Failure if one is gone."""
        try:
            for rank, wire in self._nccl.items():
                while wire.receive().get("at") != name:
                    pass
            for wire in self._nccl.values():
                wire.send({"go": name})
        except PeerClosed as closed:
            fabric.warn_line(f"socketProgress: Connection closed by remote peer {closed}")
            raise Failure(
                "RuntimeError: NCCL error: remote process exited or there was a network error",
                role="EngineCore",
            ) from closed

    def step(self, number: int, timeout_seconds: float) -> None:
        """One forward pass of all ranks; raises PeerClosed or PeerSilent."""
        deadline = time.monotonic() + timeout_seconds
        for queue in self._queues.values():
            queue.send({"step": number})
        for wire in self._nccl.values():
            left = deadline - time.monotonic()
            if left <= 0 or wire.receive(left).get("step") != number:
                raise PeerSilent(wire.peer)

    def _wait_until(self, deadline: float) -> None:
        while time.monotonic() < deadline:
            faults.current.checkpoint()
            time.sleep(0.2)

    def _timed_out(self) -> Failure:
        joined = len(self._stores) + 1
        return Failure(
            f"torch.distributed.DistStoreError: Timed out after {int(self._timeout) + 1} seconds waiting for clients."
            f" {joined}/{self._world} clients joined.",
            role="EngineCore",
        )


def _accept(listener: socket.socket, timeout_seconds: float) -> Wire | None:
    listener.settimeout(timeout_seconds)
    try:
        return Wire(listener.accept()[0])
    except OSError:
        return None


def _hello(wire: Wire | None) -> dict:
    if wire is None:
        return {}
    try:
        return wire.receive(2)
    except (PeerClosed, PeerSilent, ValueError):
        return {}
