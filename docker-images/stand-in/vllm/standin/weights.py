"""The model in the hub's cache, found and read as the hub's client and the loader do."""
import json
import os
import re
from pathlib import Path

from vllm.standin.failure import Failure

_NOT_FOUND = "huggingface_hub.errors.LocalEntryNotFoundError: "


def find_snapshot(model: str, revision: str | None) -> Path:
    """The snapshot's folder; raises Failure if the cache does not hold it."""
    if Path(model).is_dir():
        return Path(model)
    folder = _hub() / f"models--{model.replace('/', '--')}"
    commit = _commit(folder, revision or "main")
    snapshot = folder / "snapshots" / commit
    if commit and snapshot.is_dir():
        return snapshot
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "TRUE", "YES", "ON"):
        raise Failure(
            f"{_NOT_FOUND}Cannot find an appropriate cached snapshot folder for the specified revision on the local"
            " disk and outgoing traffic has been disabled. To enable repo look-ups and downloads online, set"
            " 'HF_HUB_OFFLINE=0' as environment variable."
        )
    raise Failure(
        f"{_NOT_FOUND}An error happened while trying to locate the files on the Hub and we cannot find the appropriate"
        " snapshot folder for the specified revision on the local disk. Please check your internet connection and try"
        " again."
    )


def _hub() -> Path:
    home = Path(os.environ.get("HF_HOME", Path.home() / ".cache/huggingface"))
    return Path(os.environ.get("HF_HUB_CACHE", home / "hub"))


def _commit(folder: Path, revision: str) -> str:
    if re.fullmatch(r"[0-9a-f]{40}", revision):
        return revision
    try:
        # As it is: the hub's client does not strip a newline, so a file with one names no snapshot.
        return (folder / "refs" / revision).read_text(encoding="utf-8")
    except OSError:
        return ""


def read_config(snapshot: Path) -> dict:
    """The model's config.json; raises Failure without one."""
    try:
        return json.loads((snapshot / "config.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Failure(
            f"OSError: {snapshot} does not appear to have a file named config.json. Checkout the model's repository"
            " for available files."
        ) from None


def shards(snapshot: Path) -> list[Path]:
    """All weight shards that the index names, else those that are there."""
    index = snapshot / "model.safetensors.index.json"
    found = sorted(snapshot.glob("*.safetensors"))
    if index.exists():
        named = json.loads(index.read_text(encoding="utf-8")).get("weight_map", {}).values()
        found = sorted({snapshot / name for name in named} | set(found))
    if not found:
        raise Failure(f"RuntimeError: Cannot find any model weights with `{snapshot}`", role="EngineCore")
    return found


def read_shard(shard: Path) -> None:
    """Touches the file as the loader does: a missing blob fails, a hanging NAS hangs."""
    try:
        with shard.open("rb") as file:
            if not file.read(4096):
                raise Failure(
                    "safetensors_rust.SafetensorError: Error while deserializing header: header too small",
                    role="EngineCore",
                )
    except FileNotFoundError:
        raise Failure(
            f"FileNotFoundError: No such file or directory: {shard}", role="EngineCore"
        ) from None
