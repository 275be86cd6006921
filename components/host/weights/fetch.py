"""Downloads one model at one commit into the hub's cache with the hub's own client, which the image brings along.

Runs in a one-shot container; `order` is {model, revision (null: the hub's main), token (null: none), hub (HF_HOME)}.
Prints one JSON object a line: size, progress, retry, and last done or failed.
"""
import json
import os
import re
import shutil
import signal
import sys
import threading
import time

order = globals()["order"]
cache = os.path.join(order["hub"], "hub")
folder = os.path.join(cache, "models--" + order["model"].replace("/", "--"))
weights = ["*.safetensors", "*.bin", "*.pt", "*.pth", "*.gguf"]


def say(kind, **facts):
    print(json.dumps({"kind": kind, **facts}), flush=True)


def fail(why, text="", **facts):
    if order["token"]:
        text = text.replace(order["token"], "***")
    say("failed", why=why, text=" ".join(text.split())[:400], **facts)
    sys.exit(1)


def client():
    # The recipe serves offline; this is the one step that does not.
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"):
        os.environ.pop(name, None)
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ.setdefault("HF_HUB_DOWNLOAD_TIMEOUT", "60")
    # Chunks and logs of its transfer are no part of the hub.
    os.environ["HF_XET_CACHE"] = "/tmp/xet"
    os.environ["HF_XET_CHUNK_CACHE_SIZE_BYTES"] = "0"
    try:
        import huggingface_hub
    except ImportError as error:
        fail("no-client", str(error))
    return huggingface_hub


def status_of(error):
    """The HTTP status behind an error of the client, whatever version it is of."""
    while error is not None:
        status = getattr(getattr(error, "response", None), "status_code", None)
        if status is not None:
            return status
        error = error.__cause__ or error.__context__
    return None


def final(error):
    """Ends the run when trying again would not help."""
    status = status_of(error)
    if status in (401, 403):
        fail("gated", str(error), status=status)
    if status is not None and 400 <= status < 500 and status not in (408, 429):
        fail("unknown", str(error), status=status)
    if isinstance(error, PermissionError):
        fail("permission", str(error))
    if isinstance(error, OSError) and error.errno in (28, 122):  # no space, quota
        fail("disk", str(error))


def ask(hub):
    """Commit, and every file with its size and the name of its blob."""
    info = hub.HfApi().model_info(
        order["model"], revision=order["revision"], files_metadata=True, token=order["token"] or False
    )
    files = {}
    for each in info.siblings:
        lfs = each.lfs
        digest = (lfs.get("sha256") if isinstance(lfs, dict) else getattr(lfs, "sha256", None)) if lfs else None
        files[each.rfilename] = (each.size or 0, digest or each.blob_id or "")
    return info.sha, files


def size_at(path):
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def clear_damage(snapshot, files):
    """Files of another size than the hub's were cut off: the client would take them for whole."""
    for name, (size, blob) in files.items():
        for path in (os.path.join(snapshot, name), os.path.join(folder, "blobs", blob)):
            if blob and size_at(path) not in (None, size):
                os.remove(path)
    blobs = os.path.join(folder, "blobs")
    for name in os.listdir(blobs) if os.path.isdir(blobs) else []:
        # Part files that are unique to a download that has ended: no client resumes them.
        path = os.path.join(blobs, name)
        own = re.fullmatch(r"[0-9a-f]{40,64}\.[0-9a-f]{8}\.incomplete", name)
        if own and time.time() - os.stat(path).st_mtime > 600:
            os.remove(path)


def bytes_there(snapshot, files):
    parts = {}
    blobs = os.path.join(folder, "blobs")
    for name in os.listdir(blobs) if os.path.isdir(blobs) else []:
        if name.endswith(".incomplete"):
            blob = name.split(".", 1)[0]
            parts[blob] = max(parts.get(blob, 0), size_at(os.path.join(blobs, name)) or 0)
    there = 0
    for name, (size, blob) in files.items():
        whole = size_at(os.path.join(snapshot, name)) == size or size_at(os.path.join(blobs, blob)) == size
        there += size if whole else min(size, parts.get(blob, 0))
    return there


def missing(snapshot, files):
    return [name for name, (size, _) in files.items() if size_at(os.path.join(snapshot, name)) != size]


def watch(snapshot, files, total):
    while True:
        time.sleep(2)
        say("progress", done=bytes_there(snapshot, files), total=total)


def download(hub, commit):
    options = {"revision": commit, "cache_dir": cache, "token": order["token"] or False, "max_workers": 8}
    if tuple(int(part) for part in hub.__version__.split(".")[:2]) < (0, 23):
        options["resume_download"] = True
    # What is small first: weights that are whole then mean that all is there.
    hub.snapshot_download(order["model"], ignore_patterns=weights, **options)
    hub.snapshot_download(order["model"], **options)


def insist(action, done):
    """Tries again after a fault of the network, for as long as that brings something new."""
    attempts, best = 0, -1
    while True:
        try:
            return action()
        except Exception as error:  # of whatever library the client is built on
            final(error)
            if done() > best:
                attempts, best = 0, done()
            attempts += 1
            if attempts > 5:
                fail("network", str(error))
            pause = min(30, 2**attempts)
            say("retry", text=" ".join(str(error).split())[:200], seconds=pause)
            time.sleep(pause)


def write_main(commit):
    """Only where there is none; the library takes it as it is, so without a newline."""
    os.makedirs(os.path.join(folder, "refs"), exist_ok=True)
    try:
        file = os.open(os.path.join(folder, "refs", "main"), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    except FileExistsError:
        return
    os.write(file, commit.encode())
    os.close(file)


def main():
    signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
    hub = client()
    commit, files = insist(lambda: ask(hub), lambda: 0)
    snapshot = os.path.join(folder, "snapshots", commit)
    try:
        os.makedirs(cache, exist_ok=True)
        clear_damage(snapshot, files)
    except OSError as error:
        final(error)
        raise
    total = sum(size for size, _ in files.values())
    there = bytes_there(snapshot, files)
    free = shutil.disk_usage(cache).free
    say("size", total=total, done=there, free=free, commit=commit, client=hub.__version__)
    if total - there > free:
        fail("disk", needed=total - there, free=free)
    threading.Thread(target=watch, args=(snapshot, files, total), daemon=True).start()
    insist(lambda: download(hub, commit), lambda: bytes_there(snapshot, files))
    left = missing(snapshot, files)
    if left:
        fail("incomplete", ", ".join(left[:3]))
    write_main(commit)
    say("done", commit=commit, total=total, fetched=total - there)


main()
