# shellcheck shell=sh
# Shared by the steps of the build.

fail() {
    echo "dsv4-flash-vision: $*" >&2
    exit 1
}

# The interpreter that runs vLLM: the one its command names, else python3. A base may keep vLLM in an
# environment of its own.
engine_python() {
    command=$(command -v vllm) || fail "the base image has no vllm command"
    named=$(sed -n '1s/^#! *\([^ ]*python[^ ]*\).*/\1/p' "$command")
    echo "${named:-python3}"
}

# No advice and nothing left behind.
export PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
# Debian and Ubuntu mark their Python as managed; in an image of our own that is no concern.
export PIP_BREAK_SYSTEM_PACKAGES=1
# What carries a time carries this one, the day of the plugin's commit: builds on two nodes are alike.
export SOURCE_DATE_EPOCH=1788307200
