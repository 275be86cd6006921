#!/usr/bin/env python3
"""Puts stubs in the place of the CUDA libraries that PyTorch's package is linked to and a CPU never calls.

usage: stubs.py SITE_PACKAGES    (needs gcc and readelf)

Two gigabytes of libraries stay out of the image: the loader only wants their names and symbols. What the packages
bring themselves (the CUDA runtime, which does run at import) is left alone.
"""
import pathlib
import re
import subprocess
import sys

# Symbols of the libraries that may be missing, and of no other: Python's, say, come from the program itself.
CUDA = re.compile(r"_?_?(cu[a-z]*[A-Z_]|nv|nccl|pnccl)\w*$")


def readelf(library: pathlib.Path, *options: str) -> str:
    command = ["readelf", "-W", *options, str(library)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed(library: pathlib.Path) -> list[str]:
    """The libraries that the loader looks for."""
    return re.findall(r"NEEDED\).*\[(.*?)\]", readelf(library, "-d"))


def origins(library: pathlib.Path) -> dict[str, str]:
    """Version -> the library that a symbol of this version is wanted from."""
    found, file = {}, ""
    for line in readelf(library, "-V").splitlines():
        if match := re.search(r"File: (\S+)", line):
            file = match[1]
        elif match := re.search(r"Name: (\S+) +Flags:", line):
            found[match[1]] = file
    return found


def symbols(library: pathlib.Path) -> tuple[set[tuple[str, str]], set[str]]:
    """What it wants, as (name, version or ""), and what it has."""
    wants, has = set(), set()
    for line in readelf(library, "--dyn-syms").splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0].rstrip(":").isdigit():
            continue
        name, _, version = fields[7].partition("@")
        if fields[6] == "UND":
            wants.add((name, version.strip("@")))
        else:
            has.add(name)
    return wants, has


def source(names: dict[str, str]) -> tuple[str, str]:
    """A C file with these symbols (name -> version), and its version script."""
    code, versions = "", {}
    for name, version in sorted(names.items()):
        text = name.endswith(("ErrorString", "ErrorName", "GetErrorString", "StatusString"))
        code += f'const char *{name}(void) {{ return "stub"; }}\n' if text else f"long {name}(void) {{ return 100; }}\n"
        versions.setdefault(version, []).append(name)
    script = "".join(f"{v} {{ global: {'; '.join(n)}; }};\n" for v, n in versions.items() if v)
    return code, script


def make(target: pathlib.Path, names: dict[str, str]) -> None:
    code, script = source(names)
    build = target.with_suffix(".build")
    build.mkdir()
    (build / "stub.c").write_text(code)
    (build / "stub.map").write_text(script)
    map_option = [f"-Wl,--version-script={build / 'stub.map'}"] if script else []
    compile = ["gcc", "-w", "-shared", "-fPIC", "-fno-builtin", "-o", str(target), str(build / "stub.c")]
    subprocess.run([*compile, f"-Wl,-soname,{target.name}", *map_option], check=True)
    for file in build.iterdir():
        file.unlink()
    build.rmdir()


def main() -> None:
    packages = pathlib.Path(sys.argv[1])
    libraries = [p for folder in ("torch", "torchvision") for p in (packages / folder).rglob("*.so*")]
    bundled = list((packages / "nvidia").rglob("*.so*"))
    system = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    present = {p.name for p in [*libraries, *bundled]} | set(re.findall(r"^\t(\S+)", system, re.M))
    missing = sorted({name for p in libraries for name in needed(p)} - present)
    if not missing:
        raise SystemExit("nothing to stub: PyTorch brings all it is linked to")
    had = {name for p in [*libraries, *bundled] for name in symbols(p)[1]}
    stubs: dict[str, dict[str, str]] = {name: {} for name in missing}
    for library in libraries:
        origin = origins(library)
        for name, version in symbols(library)[0]:
            # Without a version any library may have it: the first one does.
            home = origin.get(version, missing[0] if version == "" and CUDA.match(name) else "")
            if home in stubs and name not in had:
                stubs[home][name] = version
    for name, names in stubs.items():
        make(packages / "torch" / "lib" / name, names)
    print(f"{len(missing)} libraries, {sum(map(len, stubs.values()))} symbols: {' '.join(missing)}")


main()
