"""Connections between ranks: JSON, one object a line."""
import json
import socket
import time


class PeerClosed(Exception):
    """The peer closed the connection, or its process is gone."""


class PeerSilent(Exception):
    """Nothing came within the time limit."""


class Wire:
    """One connection."""

    def __init__(self, sock: socket.socket):
        self._socket = sock
        self._buffer = b""
        self.peer = "%s:%d" % sock.getpeername()[:2]
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, message: dict) -> None:
        """Raises PeerClosed."""
        try:
            self._socket.settimeout(None)
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise PeerClosed(self.peer) from error

    def receive(self, timeout_seconds: float | None = None) -> dict:
        """The next message; raises PeerClosed or PeerSilent."""
        deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        while b"\n" not in self._buffer:
            self._buffer += self._read(deadline)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return json.loads(line)

    def _read(self, deadline: float | None) -> bytes:
        try:
            self._socket.settimeout(None if deadline is None else max(deadline - time.monotonic(), 0.001))
            data = self._socket.recv(65536)
        except TimeoutError as error:
            raise PeerSilent(self.peer) from error
        except OSError as error:
            raise PeerClosed(self.peer) from error
        if not data:
            raise PeerClosed(self.peer)
        return data


def listen(address: str, port: int) -> socket.socket:
    """Raises OSError when the address is not this machine's or the port is taken."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind((address, port))
    sock.listen(64)
    return sock


def dial(address: tuple[str, int], deadline: float, source: str = "") -> Wire:
    """Tries until it connects; raises PeerSilent at the deadline (time.monotonic)."""
    while True:
        try:
            left = max(deadline - time.monotonic(), 0.001)
            sock = socket.create_connection(address, min(left, 3), (source, 0) if source else None)
            if sock.getsockname() != sock.getpeername():
                return Wire(sock)
            # On one machine a caller's own port can be the one it calls: it then reached itself.
            sock.close()
        except OSError as error:
            if time.monotonic() >= deadline:
                raise PeerSilent(f"{address[0]}:{address[1]}: {error}") from error
        time.sleep(0.1)
