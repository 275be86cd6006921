#!/bin/sh
# Fetches the publisher's repository at one commit and proves that it is the one that was chosen.
# usage: fetch-plugin.sh URL COMMIT TARGET
set -eu
build=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=common.sh
. "$build/common.sh"
url=$1 commit=$2 target=$3

command -v git > /dev/null || fail "the base image has no git, which fetches the plugin"
export GIT_TERMINAL_PROMPT=0
git init --quiet "$target"
cd "$target"
tries=3
until git fetch --quiet --depth 1 --no-tags "$url" "$commit"; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || fail "$url does not give out commit $commit"
    sleep 5
done
got=$(git rev-parse 'FETCH_HEAD^{commit}')
[ "$got" = "$commit" ] || fail "asked $url for commit $commit, got $got"
git checkout --quiet --detach "$commit"
rm -rf .git

# The commit's id is a SHA-1 over its content; the list is by SHA-256, and holds for any copy of the files.
cd docker
sha256sum --check --strict --quiet "$build/plugin.sha256" ||
    fail "the plugin at $commit is not the one in build/plugin.sha256"
listed=$(grep -c ' plugin/' "$build/plugin.sha256")
found=$(find plugin -type f | wc -l)
[ "$listed" = "$found" ] || fail "the plugin has $found files, build/plugin.sha256 lists $listed"
