"""Network interfaces by name, as NCCL and gloo look them up."""
import fcntl
import os
import socket
import struct

_SIOCGIFADDR = 0x8915


def addresses() -> dict[str, str]:
    """Interfaces that have an IPv4 address."""
    found = {}
    for _, name in socket.if_nameindex():
        address = address_of(name)
        if address is not None:
            found[name] = address
    return found


def address_of(interface: str) -> str | None:
    """An interface's IPv4 address; None if it has none or does not exist."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            request = struct.pack("256s", interface.encode()[:15])
            return socket.inet_ntoa(fcntl.ioctl(sock.fileno(), _SIOCGIFADDR, request)[20:24])
        except OSError:
            return None


def selects(words: str, name: str) -> bool:
    """NCCL's lists: prefixes by comma, `=` in front for whole names, `^` for all but these."""
    listed = words.lstrip("^=")
    exact = "=" in words[:2]
    entries = [entry for entry in listed.split(",") if entry]
    hit = any(name == entry if exact else name.startswith(entry) for entry in entries)
    return not hit if words.startswith("^") else hit


def nccl_interface() -> tuple[str, str] | None:
    """Name and address that NCCL's bootstrap takes."""
    wanted = os.environ.get("NCCL_SOCKET_IFNAME", "")
    found = addresses()
    if wanted:
        return next(((name, address) for name, address in found.items() if selects(wanted, name)), None)
    usual = [item for item in found.items() if not item[0].startswith(("lo", "docker"))]
    return next(iter([*usual, *found.items()]), None)


def own_address() -> str | None:
    """VLLM_HOST_IP, else the address of the default route."""
    named = os.environ.get("VLLM_HOST_IP") or os.environ.get("HOST_IP")
    if named:
        return named
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            # No packet is sent: the kernel only chooses the source address. 192.0.2.1 is for documentation.
            sock.connect(("192.0.2.1", 80))
            return sock.getsockname()[0]
        except OSError:
            return None
