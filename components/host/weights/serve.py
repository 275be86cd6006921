"""Hands the files of one snapshot to the other nodes, over the fabric alone and to who knows the token.

Runs in a one-shot container; `order` is {address, token, folder, revision}. Prints {"kind": "listening", "port": N}.
"""
import hashlib
import hmac
import json
import os
import shutil
import signal
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

order = globals()["order"]
folder = os.path.realpath(order["folder"])


def listing():
    """Files by their path below the model's folder with their size, and the links of the snapshot."""
    files, links = {}, {}
    snapshot = os.path.join(folder, "snapshots", order["revision"])
    for base, _, names in os.walk(snapshot):
        for name in names:
            path = os.path.join(base, name)
            target = os.path.realpath(path)
            if os.path.islink(path) and target.startswith(folder + os.sep):
                links[os.path.relpath(path, folder)] = os.readlink(path)
                files[os.path.relpath(target, folder)] = os.stat(target).st_size
            else:
                files[os.path.relpath(path, folder)] = os.stat(path).st_size
    main = os.path.join(folder, "refs", "main")
    text = open(main, encoding="utf-8", newline="").read() if os.path.isfile(main) else None
    return {"files": files, "links": links, "main": text}


content = listing()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        given = self.headers.get("Authorization", "").encode()
        if not hmac.compare_digest(given, b"Bearer " + order["token"].encode()):
            return self.answer(401)
        if self.path == "/list":
            return self.answer(200, json.dumps(content).encode())
        verb, _, name = urllib.parse.unquote(self.path).lstrip("/").partition("/")
        # Only what is in the list: no path of a request ever reaches the file system.
        if name not in content["files"]:
            return self.answer(404)
        with open(os.path.join(folder, name), "rb") as file:
            if verb == "sha256":
                digest = hashlib.sha256()
                while block := file.read(1 << 22):
                    digest.update(block)
                return self.answer(200, digest.hexdigest().encode())
            start = int(self.headers.get("Range", "bytes=0-")[6:].split("-")[0])
            file.seek(start)
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(content["files"][name] - start))
            self.end_headers()
            shutil.copyfileobj(file, self.wfile, 1 << 22)


signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
server = ThreadingHTTPServer((order["address"], 0), Handler)
print(json.dumps({"kind": "listening", "port": server.server_port}), flush=True)
server.serve_forever()
