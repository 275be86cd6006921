"""Copies the files of one snapshot from another node (serve.py): only what is missing, cut files from where they end.

Runs in a one-shot container; `order` is {address, port, token, folder}. Prints one JSON object a line: size, progress,
and last done or failed.
"""
import concurrent.futures
import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import sys
import threading
import time
import urllib.parse

order = globals()["order"]
folder = order["folder"]
suffix = ".spark-vllm-part"


def say(kind, **facts):
    print(json.dumps({"kind": kind, **facts}), flush=True)


def fail(why, text="", **facts):
    say("failed", why=why, text=" ".join(text.split())[:400], **facts)
    os._exit(1)


def get(path, start=0):
    connection = http.client.HTTPConnection(order["address"], order["port"], timeout=60)
    headers = {"Authorization": "Bearer " + order["token"]}
    if start:
        headers["Range"] = f"bytes={start}-"
    connection.request("GET", urllib.parse.quote(path), headers=headers)
    answer = connection.getresponse()
    if answer.status not in (200, 206):
        raise OSError(f"the sender answers {answer.status}")
    return answer


def size_at(path):
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def expected_digest(name, size):
    """A hash that knows the file's content, and what it must come to: the hub names blobs by it."""
    base = os.path.basename(name)
    if re.fullmatch(r"[0-9a-f]{64}", base):
        return hashlib.sha256(), base
    if re.fullmatch(r"[0-9a-f]{40}", base):
        return hashlib.sha1(b"blob %d\0" % size), base  # git's, of small files
    return hashlib.sha256(), get("/sha256/" + name).read().decode()


def copy(name, size):
    target = os.path.join(folder, name)
    part = target + suffix
    os.makedirs(os.path.dirname(target), exist_ok=True)
    digest, wanted = expected_digest(name, size)
    start = min(size_at(part), size)
    with open(part, "r+b" if start else "wb") as file:
        while block := file.read(min(1 << 22, start - file.tell())) if start else b"":
            digest.update(block)
        file.truncate(start)
        answer = get("/file/" + name, start)
        while block := answer.read(1 << 22):
            digest.update(block)
            file.write(block)
            copied[name] = file.tell()
    if size_at(part) != size:
        raise OSError(f"{name} was cut off at {size_at(part)} of {size} bytes")
    if digest.hexdigest() != wanted:
        os.remove(part)
        raise ValueError(f"{name} does not have the content that its name stands for")
    os.replace(part, target)


def insist(name, size):
    for attempt in range(5):
        try:
            return copy(name, size)
        except PermissionError:
            raise
        except (OSError, http.client.HTTPException) as error:
            if attempt == 4 or getattr(error, "errno", None) in (28, 122):
                raise
            time.sleep(1 + attempt)


def place_links(links):
    for name, target in links.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.islink(path) and os.readlink(path) == target:
            continue
        if os.path.lexists(path):
            os.remove(path)
        os.symlink(target, path)


def write_main(text):
    os.makedirs(os.path.join(folder, "refs"), exist_ok=True)
    try:
        file = os.open(os.path.join(folder, "refs", "main"), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    except FileExistsError:
        return
    os.write(file, text.encode())
    os.close(file)


def main():
    listing = json.loads(get("/list").read())
    files = listing["files"]
    for name, size in files.items():
        copied[name] = size_at(os.path.join(folder, name))
    todo = {name: size for name, size in files.items() if copied[name] != size}
    for name in todo:
        copied[name] = min(size_at(os.path.join(folder, name) + suffix), files[name])
    total, there = sum(files.values()), sum(copied.values())
    os.makedirs(folder, exist_ok=True)
    free = shutil.disk_usage(folder).free
    say("size", total=total, done=there, free=free)
    if total - there > free:
        fail("disk", needed=total - there, free=free)
    threading.Thread(target=watch, args=(total,), daemon=True).start()
    # What is small first: weights that are whole then mean that all is there.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in [pool.submit(insist, *each) for each in sorted(todo.items(), key=lambda each: each[1])]:
            result.result()
    place_links(listing["links"])
    if listing["main"] is not None:
        write_main(listing["main"])
    say("done", total=total, fetched=total - there)


def watch(total):
    while True:
        time.sleep(2)
        say("progress", done=sum(copied.values()), total=total)


copied = {}
signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
try:
    main()
except PermissionError as error:
    fail("permission", str(error))
except OSError as error:
    fail("disk" if error.errno in (28, 122) else "network", str(error))
except ValueError as error:
    fail("content", str(error))
except Exception as error:
    fail("network", f"{type(error).__name__}: {error}")
