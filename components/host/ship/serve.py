"""Answers as a registry for one image of this node's Docker, over the fabric alone and to who knows a token.

Runs in a one-shot container that sees Docker's folder (/docker), read-only, and containerd's where there is one
(/containerd). `order` is {sender, address, image, tokens: {token: node}, stallSeconds}. Nothing is copied: a layer is
put together from its files while it is sent (imageContent.py). What the receiver's Docker asks for by a digest it
compares with that digest, so a wrong byte is refused there.
Prints one JSON object a line: listening, sent (about once a second), lost, failed.
"""
import errno
import json
import os
import re
import signal
import socket
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

order = globals()["order"]
sent = dict.fromkeys(order["tokens"].values(), 0)
at_once = 1 << 20


def say(kind, **facts):
    # In one write: each receiver has a thread of its own, and `print` writes the line's end by itself.
    os.write(1, f"{json.dumps({'kind': kind, **facts})}\n".encode())


def short(path):
    return OSError(errno.EIO, "shorter than when it was built", path)


class Out:
    """Small pieces go together, files straight from the page cache."""

    def __init__(self, connection, node):
        self.connection, self.node, self.held = connection, node, bytearray()

    def count(self, length):
        sent[self.node] += length

    def put(self, data):
        self.held += data
        if len(self.held) >= at_once:
            self.flush()

    def flush(self):
        self.connection.sendall(self.held)
        self.count(len(self.held))
        self.held.clear()

    def put_file(self, path, offset, length):
        with open(path, "rb", buffering=0) as file:
            if length < 1 << 16:
                file.seek(offset)
                data = file.read(length)
                if len(data) != length:
                    raise short(path)
                return self.put(data)
            self.flush()
            end = offset + length
            while offset < end:
                count = os.sendfile(self.connection.fileno(), file.fileno(), offset, min(end - offset, at_once))
                if count == 0:
                    raise short(path)
                offset += count
                self.count(count)


found = find_image(order["image"])
if found is None:
    say("failed", why="store")
    sys.exit(1)
top, manifests, blobs, sizes, packed = found


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Docker tries TLS first; an answer without a status line would not tell it that this is plain HTTP.
    default_request_version = "HTTP/1.1"

    def setup(self):
        # A receiver that takes nothing is given up; see `do_GET`.
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", order["stallSeconds"], 0))
        super().setup()

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", more=(), start=0, size=None):
        self.send_response(status)
        self.send_header("Docker-Distribution-Api-Version", "registry/2.0")
        self.send_header("Content-Length", str(len(body) if size is None else size - start))
        for name, value in more:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        if self.path in ("/v2", "/v2/"):
            return self.answer(200, b"{}")
        asked = re.fullmatch(r"/v2/spark-vllm-ship/(\w+)/(manifests|blobs)/(sha256:\w+)", self.path)
        node = asked and order["tokens"].get(asked[1])
        if not node:
            return self.answer(404)
        kind, digest = asked[2], asked[3]
        if kind == "manifests" and digest in manifests:
            media, data = manifests[digest]
            return self.answer(200, data, [("Content-Type", media), ("Docker-Content-Digest", digest)])
        if kind == "manifests" or digest not in blobs:
            return self.answer(404)
        self.send_blob(node, blobs[digest])

    def send_blob(self, node, blob):
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = min(int(asked[1]), blob.size) if asked else 0
        more = [("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes")]
        if asked:
            more.append(("Content-Range", f"bytes {start}-{blob.size - 1}/{blob.size}"))
        self.answer(206 if asked else 200, b"", more, start, blob.size)
        if self.command == "HEAD":
            return
        self.close_connection = True
        out = Out(self.connection, node)
        try:
            blob.send(out, start)
            out.flush()
            self.close_connection = False
        except OSError as error:
            self.not_sent(node, error)

    def not_sent(self, node, error):
        if error.filename is not None:
            name = os.fsdecode(error.filename).replace("/docker/", "", 1)
            why = f"{order['sender']} cannot read {name} in Docker's folder: {error.strerror}"
            say("lost", node=node, reached=True, why=why)
        elif error.errno in (errno.EAGAIN, errno.ETIMEDOUT, errno.EHOSTUNREACH):
            say("lost", node=node, reached=False, why=f"it took nothing for {order['stallSeconds']} s")
        # Else it went away, which its own end explains.


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a receiver that went away


signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
server = Server((order["address"], 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
say("listening", port=server.server_port, digest=top, layers=sizes, packed=packed)
said = dict(sent)
while True:
    time.sleep(1)
    for node, count in sent.items():
        if count != said[node]:
            said[node] = count
            say("sent", node=node, bytes=count)
