# Prints as one line of JSON what an image holds: Python and its packages, the system's packages, and a digest over
# the files of the engine, of what it computes with, and of its plugins. Read by the image's own Python, over stdin,
# in a container without network: `python3 - SECONDS`.
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata

# Whoever started this may be gone: it ends by itself.
signal.alarm(int(sys.argv[1]))

ENGINE = ("vllm", "torch", "triton", "flashinfer")


def package_name(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def packages():
    found = {}
    for each in metadata.distributions():
        name = each.metadata["Name"]
        # The first on the path is the one that is imported.
        if name:
            found.setdefault(package_name(name), each.version)
    return found


def plugins():
    """Module and package of everything that the engine loads by an entry point of its own."""
    modules, names = set(), set()
    for each in metadata.distributions():
        for entry in each.entry_points:
            if entry.group.startswith("vllm."):
                modules.add(entry.value.split(":")[0].split(".")[0].strip())
                names.add(package_name(each.metadata["Name"] or ""))
    return modules - {"vllm"}, names - {"vllm", ""}


def files_of(module):
    """(name, path) of a module's files, or none. The module itself is not run."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return []
    if spec is None:
        return []
    found = []
    for root in sorted(spec.submodule_search_locations or []):
        for folder, folders, files in os.walk(root):
            # Compiled files hold the time of the build.
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in files:
                path = os.path.join(folder, name)
                found.append((os.path.relpath(path, root), path))
    if not found and spec.origin and os.path.isfile(spec.origin):
        found.append((os.path.basename(spec.origin), spec.origin))
    return sorted(found)


def digest(named):
    name, path = named
    whole = hashlib.sha256()
    if os.path.islink(path):
        whole.update(b"link " + os.fsencode(os.readlink(path)))
    else:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                whole.update(block)
    return f"{whole.hexdigest()} {name}\n"


def contents(modules):
    found = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for module in sorted(modules):
            lines = list(pool.map(digest, files_of(module)))
            if lines:
                text = "".join(lines).encode("utf-8", "surrogateescape")
                found[module] = hashlib.sha256(text).hexdigest()
    return found


def system():
    if shutil.which("dpkg-query") is None:
        return {}
    form = "${Package}:${Architecture} ${Version}\n"
    said = subprocess.run(["dpkg-query", "-W", "-f", form], stdout=subprocess.PIPE, text=True)
    return dict(line.split(" ", 1) for line in said.stdout.splitlines() if " " in line)


plugin_modules, plugin_packages = plugins()
json.dump(
    {
        "python": platform.python_version(),
        "packages": packages(),
        "plugins": sorted(plugin_packages),
        "contents": contents({*ENGINE, *plugin_modules}),
        "system": system(),
    },
    sys.stdout,
    sort_keys=True,
)
print()
