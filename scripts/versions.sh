# shellcheck shell=sh disable=SC2034
# The versions this project is built on, in one place for shell scripts; tests hold them equal to package.json.
# 3.248.0 is the last Pulumi whose Node SDK runs on Node 20.
pulumi_version=3.248.0
docker_plugin_version=5.2.0
command_plugin_version=1.2.1
