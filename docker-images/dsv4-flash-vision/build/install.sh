#!/bin/sh
# Installs the wheels, applies the publisher's patch to the engine and proves both. Needs no network.
# usage: install.sh WHEELS PATCH
set -eu
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$(dirname "$0")/common.sh"
wheels=$1 patch=$2
python=$(engine_python)
# Out of any folder that Python could take for a package.
cd /

"$python" -m pip install --quiet --no-index --no-deps "$wheels"/*.whl

where() {
    "$python" -c 'import sys, importlib.util as u; print(u.find_spec(sys.argv[1]).submodule_search_locations[0])' "$1"
}
engine=$(where vllm)
draft=$engine/models/deepseek_v4/nvidia/dspark.py
[ -f "$draft" ] || fail "the base's vLLM has no $draft: not one for DSpark on DeepSeek V4"
if grep -q 'ffn\.gate\.bias_vl' "$draft"; then
    echo "the base's vLLM already skips ffn.gate.bias_vl: the publisher's patch is not needed"
else
    # The publisher's patch knows one place of vLLM only.
    sed "s|/usr/local/lib/python3.12/dist-packages/vllm|$engine|" "$patch" | "$python" -
fi
grep -q 'ffn\.gate\.bias_vl' "$draft" || fail "$draft is not patched"
"$python" -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$draft"

# The plugin that the recipe names by commit lacks this interface: images would be refused with HTTP 400.
grep -q SupportsMultiModal "$(where dsv4_vision)/vl_model.py" ||
    fail "the plugin has no multimodal interface; see UPSTREAM.md"
"$python" - << 'PY'
from importlib.metadata import entry_points, version

plugins = {entry.name: entry.value for entry in entry_points(group="vllm.general_plugins")}
assert plugins.get("dsv4_vision") == "dsv4_vision:register", f"not registered with vLLM: {plugins}"
print("installed: dsv4-vision", version("dsv4-vision"), "and instanttensor", version("instanttensor"))
PY
