"""One rank from its parsed arguments to its end."""
import time
from typing import NoReturn

import vllm
from vllm.standin import banner, boot, checks, faults, process, weights
from vllm.standin.failure import Failure
from vllm.standin.group import HeadGroup
from vllm.standin.member import Member

_CORE_FAILED = (
    "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore': 1}"
)
_WAITING_TERM_SECONDS = 3.0
_WORKER_TERM_SECONDS = 3.0


def run(args) -> NoReturn:
    """Runs the rank; every end of it is an exit code."""
    try:
        _run(args)
    except Failure as failure:
        role = "MainProcess" if args.headless and failure.role == "APIServer" else failure.role
        process.error(role, "Traceback (most recent call last):\n" + failure.text)
        if role in ("EngineCore", "Worker") and not args.headless:
            process.error("APIServer", _CORE_FAILED, "core_client.py:741")
        process.end(failure.code)


def _run(args) -> None:
    headless = args.headless
    role = "MainProcess" if headless else "APIServer"
    banner.plugins(role)
    banner.arguments(role, args)
    if headless and (args.node_rank == 0 or args.nnodes == 1):
        process.say(
            role,
            "Launching 1 data parallel engine(s) in headless mode, with head node address tcp://127.0.0.1:29550.",
            "serve.py:163",
        )
        process.silence()
    checks.check_values(args)
    faults.current.reach("args")
    snapshot = weights.find_snapshot(args.model, args.revision)
    config = weights.read_config(snapshot)
    checks.check_model(args, config)
    banner.model(role, args, config, snapshot)
    if headless:
        _worker(args, snapshot)
    else:
        _head(args, snapshot)


def _head(args, snapshot) -> None:
    # Bound before the engine starts, listening only after: as measured.
    from vllm.standin import api

    server = api.bind(args)
    process.on_term(_WAITING_TERM_SECONDS, 1)
    banner.engine(args)
    if args.node_rank != 0:
        time.sleep(min(boot.boot_seconds(), 1))
        raise Failure("AssertionError: collective_rpc should not be called on follower node", role="EngineCore")
    group = HeadGroup(args.nnodes, _timeout(args))
    faults.current.reach("rendezvous")
    if args.nnodes > 1:
        group.gather(args.master_addr, args.master_port)
    banner.world(args)
    tokens = boot.run(args, snapshot, group)
    api.serve(server, args, group, tokens)


def _worker(args, snapshot) -> NoReturn:
    process.say(
        "MainProcess",
        f"Launching vLLM (v{vllm.__version__}) headless multiproc executor, with head node address"
        f" {args.master_addr}:{args.master_port} for torch.distributed process group.",
        "serve.py:141",
    )
    process.on_term(_WORKER_TERM_SECONDS, 0)
    banner.waiting(args)
    member = Member(args.node_rank, args.nnodes, _timeout(args))
    faults.current.reach("rendezvous")
    member.join(args.master_addr, args.master_port)
    banner.world(args)
    boot.run(args, snapshot, member)
    faults.current.reach("serving")
    member.follow()


def _timeout(args) -> float:
    return float(args.distributed_timeout_seconds or 1800)
