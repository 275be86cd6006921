"""The head's HTTP server: bound early, listening once all ranks are ready."""
import os
import threading
from http.server import ThreadingHTTPServer

from vllm.standin import faults, process
from vllm.standin.engine import Engine
from vllm.standin.failure import Failure
from vllm.standin.handler import Handler
from vllm.standin.requests import Served

_SERVING_TERM_SECONDS = 0.5
_ROUTES = (
    "/health /ping /version /metrics /v1/models /v1/completions /v1/chat/completions /tokenize"
).split()


class Server(ThreadingHTTPServer):
    """Threads a connection; binds with SO_REUSEADDR as the real one, so a booting twin goes unnoticed."""

    daemon_threads = True
    request_queue_size = 128


def bind(args) -> Server:
    """Raises Failure when a listener has the port or the address is not this machine's."""
    server = Server((args.host or "0.0.0.0", args.port), Handler, bind_and_activate=False)
    try:
        server.server_bind()
    except OSError as error:
        raise _os_error(error) from error
    return server


def serve(server: Server, args, group, kv_tokens: int) -> None:
    """Serves until the process ends."""
    engine = Engine(group, args.max_num_seqs or 256, kv_tokens)
    keys = args.api_key or [key for key in [os.environ.get("VLLM_API_KEY")] if key]
    server.engine, server.served, server.keys = engine, _served(args), keys  # type: ignore[attr-defined]
    server.quiet = args.disable_uvicorn_access_log  # type: ignore[attr-defined]
    process.say("APIServer", "Supported tasks: ['generate']", "api_server.py:1275")
    host, port = args.host or "0.0.0.0", args.port
    process.say("APIServer", f"Starting vLLM server on http://{host}:{port}", "api_server.py:580")
    process.say("APIServer", "Available routes are:", "launcher.py:38")
    for route in _ROUTES:
        process.say("APIServer", f"Route: {route}", "launcher.py:46")
    process.plain(f"INFO:     Started server process [{os.getpid()}]", "INFO:     Waiting for application startup.")
    try:
        server.server_activate()
    except OSError as error:
        raise _os_error(error) from error
    process.on_term(_SERVING_TERM_SECONDS, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    process.plain("INFO:     Application startup complete.")
    faults.current.reach("serving")
    process.silence()


def _served(args) -> Served:
    limit = (args.limit_mm_per_prompt or {}).get("image", 999)
    return Served(
        names=args.served_model_name or [args.model],
        root=args.model,
        max_model_len=args.max_model_len,
        auto_tools=args.enable_auto_tool_choice,
        max_images=limit if isinstance(limit, int) else limit.get("count", 999),
    )


def _os_error(error: OSError) -> Failure:
    return Failure(f"OSError: [Errno {error.errno}] {os.strerror(error.errno or 0)}")
