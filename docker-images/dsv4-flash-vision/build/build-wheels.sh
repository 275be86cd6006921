#!/bin/sh
# Makes a wheel of the plugin and one of the weight loader, with the tools that the base already has.
# usage: build-wheels.sh PLUGIN_FOLDER WHEELS
set -eu
build=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$build/common.sh"
plugin=$1 wheels=$2
python=$(engine_python)

# No wheel of the loader exists for arm64: it is compiled, here as there.
for tool in make g++; do
    command -v "$tool" > /dev/null || fail "the base image has no $tool, which compiles instanttensor"
done
# Without build isolation pip takes the base's setuptools, which vLLM itself requires, and downloads none.
"$python" -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$wheels" "$plugin"
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --no-binary :all: --require-hashes \
    --wheel-dir "$wheels" --requirement "$build/instanttensor.txt"
