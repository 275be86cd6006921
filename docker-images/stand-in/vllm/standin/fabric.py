"""What gloo and NCCL need of this node before ranks can talk: interfaces, RDMA device, GID."""
import os
import resource
import socket
from pathlib import Path

from vllm.standin import interfaces, process
from vllm.standin.failure import Failure
from vllm.standin.faults import LAB

_RDMA = Path(os.environ.get("STANDIN_DEV_INFINIBAND", "/dev/infiniband"))
_SYSTEM = "unhandled system error (run with NCCL_DEBUG=INFO for details)"
_USAGE = "invalid usage (run with NCCL_DEBUG=WARN for details)"


class HandshakeHang(Exception):
    """Queue pairs that never connect: NCCL waits without a word."""


def gloo_address() -> str:
    """Where gloo listens; raises Failure as gloo does for an interface without address."""
    names = os.environ.get("GLOO_SOCKET_IFNAME", "")
    if names:
        name = names.split(",")[0]
        address = interfaces.address_of(name)
        if address is None:
            raise Failure(
                "RuntimeError: [enforce fail at /pytorch/third_party/gloo/gloo/transport/tcp/device.cc:84] ifa !="
                f" nullptr. Unable to find address for: {name}",
                role="Worker",
            )
        return address
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return "127.0.0.1"


def nccl_address() -> str:
    """The address of NCCL's bootstrap; raises Failure."""
    found = interfaces.nccl_interface()
    if found is None:
        raise _nccl("Bootstrap : no socket interface found", _USAGE)
    name, address = found
    _info(f"Bootstrap: Using {name}:{address}<0>")
    return address


def check_rdma() -> None:
    """Every rank's own look for its device; raises Failure or HandshakeHang."""
    tree = LAB / "infiniband"
    wants_ib = os.environ.get("NCCL_NET", "").upper() == "IB"
    if not tree.is_dir() or os.environ.get("NCCL_IB_DISABLE") == "1":
        if wants_ib and not tree.is_dir():
            process.plain("stand-in: no /run/spark-lab/infiniband, so NCCL_NET=IB is taken as satisfied")
        return
    device = _device(tree) if _RDMA.is_dir() else None
    if device is None:
        if wants_ib:
            warn_line("NET/IB : No device found.")
            raise _nccl("Failed to initialize any NET plugin", _SYSTEM)
        _info("NET/IB : No device found.")
        _info("Using network Socket")
        return
    _check_gid(device, wants_ib)
    _note_memlock(wants_ib)
    _info(f"NET/IB : Using [0]{device.name}:1/RoCE [RO]")
    _info("Using network IB")


def _device(tree: Path) -> Path | None:
    wanted = os.environ.get("NCCL_IB_HCA", "")
    for device in sorted(tree.iterdir()):
        # A port may follow the name: rocep1s0f1:1. Port 1 is the only one here.
        words = ",".join(word.removesuffix(":1") for word in wanted.split(","))
        if wanted and not interfaces.selects(words, device.name):
            continue
        if _read(device / "ports/1/state").startswith("4"):
            return device
    return None


def _check_gid(device: Path, wants_ib: bool) -> None:
    gids = device / "ports/1/gids"
    chosen = os.environ.get("NCCL_IB_GID_INDEX")
    if chosen is not None and chosen.strip() != "-1":
        # Empty reads as 0, which is the link-local entry.
        index = int(chosen) if chosen.strip().isdigit() else 0
        if not _is_ipv4(_read(gids / str(index))):
            raise HandshakeHang(f"GID {index} of {device.name}")
        return
    types = device / "ports/1/gid_attrs/types"
    for gid in gids.iterdir():
        if _is_ipv4(_read(gid)) and "v2" in _read(types / gid.name):
            return
    if wants_ib:
        warn_line(f"NET/IB : {device.name}:1 has no RoCE v2 GID with an IPv4 address")
        raise _nccl("Call to ibv_modify_qp failed with error Invalid argument errno 22", _SYSTEM)


def _is_ipv4(gid: str) -> bool:
    return gid.startswith("0000:0000:0000:0000:0000:ffff:")


def _note_memlock(wants_ib: bool) -> None:
    soft, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    if wants_ib and soft != resource.RLIM_INFINITY:
        # No failure: where the simulated nodes run, the limit may not be raisable.
        process.plain(f"stand-in: locked memory is limited to {soft} bytes; a real ibv_reg_mr would fail")


def _nccl(warning: str, error: str) -> Failure:
    warn_line(warning)
    return Failure(f"RuntimeError: NCCL error: {error}", role="Worker")


def warn_line(text: str) -> None:
    """A line as NCCL prints it."""
    process.plain(f"{socket.gethostname()}:{os.getpid()}:{os.getpid()} [0] NCCL WARN {text}")


def _info(text: str) -> None:
    if os.environ.get("NCCL_DEBUG", "").upper() in ("INFO", "TRACE"):
        process.plain(f"{socket.gethostname()}:{os.getpid()}:{os.getpid()} [0] NCCL INFO {text}")


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
