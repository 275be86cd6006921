"""One HTTP request."""
import hmac
import json
import time
from http.server import BaseHTTPRequestHandler

import vllm
from vllm.standin import answers, faults, metrics, process, requests, shapes
from vllm.standin.engine import EngineDead, OrderedFailure

_STARTED = int(time.time())
_DEAD = "EngineCore encountered an issue. See stack trace (above) for the root cause."
_KINDS = {"/v1/completions": "text", "/v1/chat/completions": "chat"}


class Handler(BaseHTTPRequestHandler):
    """Paths and errors as vLLM's server has them."""

    protocol_version = "HTTP/1.1"
    server_version = "uvicorn"
    sys_version = ""

    def do_GET(self) -> None:
        """Health, metrics, models."""
        faults.current.checkpoint()
        path = self._path()
        if path in ("/health", "/ping"):
            self._send(503 if self.server.engine.dead else 200, b"")
        elif path == "/version":
            self._json(200, {"version": vllm.__version__})
        elif path == "/metrics":
            text = metrics.render(self.server.engine, self.server.served.names[0])
            self._send(200, text.encode(), "text/plain; version=0.0.4; charset=utf-8")
        elif path == "/v1/models":
            if self._allowed():
                self._json(200, shapes.models(self.server.served, _STARTED))
        elif path in _KINDS:
            self._json(405, {"detail": "Method Not Allowed"})
        else:
            self._json(404, {"detail": "Not Found"})

    def do_POST(self) -> None:
        """Completions."""
        path = self._path()
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        faults.current.checkpoint()
        if path == "/ping":
            self._send(200, b"")
        elif path == "/tokenize":
            self._tokenize(raw)
        elif path not in _KINDS:
            self._json(404, {"detail": "Not Found"})
        elif self._allowed():
            try:
                self._answer(requests.read_job(_KINDS[path], raw, self.server.served))
            except requests.Refused as refused:
                self._json(refused.code, refused.body)

    def log_message(self, format: str, *args) -> None:
        """Nothing of its own: _send writes uvicorn's line."""

    def _answer(self, job: requests.Job) -> None:
        answer = job.answer
        tokens = self.server.engine.generate(answer.prompt_tokens, answer.tokens, answer.finish)
        try:
            # The first token decides about the status, so that a dead engine is a 500 in a stream too.
            made = [next(tokens)]
            if job.stream:
                self._stream(job, made[0], tokens)
                return
            made += tokens
            self._json(200, shapes.whole(job))
        except (EngineDead, OrderedFailure) as error:
            message = _DEAD if isinstance(error, EngineDead) else "fault order: completion-500"
            self._json(500, _internal(message))

    def _stream(self, job: requests.Job, token: str, rest) -> None:
        self._log(200)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        opening = shapes.first(job)
        if opening:
            self._event(json.dumps(opening))
        try:
            self._event(json.dumps(shapes.part(job, token, 0)))
            for index, following in enumerate(rest, 1):
                self._event(json.dumps(shapes.part(job, following, index)))
            self._event(json.dumps(shapes.last(job)))
            if job.include_usage:
                self._event(json.dumps(shapes.usage(job)))
        except (EngineDead, OrderedFailure):
            self._event(json.dumps(_internal(_DEAD)))
        except OSError:
            self.close_connection = True
            return
        self._event("[DONE]")
        self.wfile.write(b"0\r\n\r\n")

    def _event(self, data: str) -> None:
        body = f"data: {data}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(body), body))
        self.wfile.flush()

    def _tokenize(self, raw: bytes) -> None:
        count = len(answers.tokens_of(str(json.loads(raw or b"{}").get("prompt", "")))) + 1
        limit = self.server.served.max_model_len
        self._json(200, {"count": count, "max_model_len": limit, "tokens": list(range(count)), "token_strs": None})

    def _path(self) -> str:
        return self.path.split("?")[0]

    def _allowed(self) -> bool:
        scheme, _, given = (self.headers.get("authorization") or "").partition(" ")
        keys = self.server.keys
        known = any([hmac.compare_digest(given.encode(), key.encode()) for key in keys])
        if not keys or (scheme.lower() == "bearer" and known):
            return True
        self._json(401, {"error": "Unauthorized"})
        return False

    def _json(self, status: int, body: dict) -> None:
        self._send(status, json.dumps(body, ensure_ascii=False).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str | None = None) -> None:
        self._log(status)
        self.send_response(status)
        if kind:
            self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _log(self, status: int) -> None:
        if self.server.quiet:
            return
        host, port = self.client_address[:2]
        reason = self.responses.get(status, ("",))[0]
        process.plain(f'INFO:     {host}:{port} - "{self.command} {self.path} HTTP/1.1" {status} {reason}')


def _internal(message: str) -> dict:
    return {"error": {"message": message, "type": "InternalServerError", "param": None, "code": 500}}
