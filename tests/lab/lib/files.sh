# shellcheck shell=bash
# shellcheck disable=SC2154 # names set by ../lab and settings.sh
# What the lab writes for others: ssh_config, known_hosts, the stack's configuration.

write_ssh() {
    local i key config=$lab_dir/ssh_config hosts=$lab_dir/known_hosts
    : >"$config.new"
    : >"$hosts.new"
    for i in $(node_numbers); do
        # read from the nodes over Docker: ssh has no question to ask
        key=$(docker exec "$lab_name-$i" cut -d' ' -f1,2 /var/lib/spark/host_key.pub)
        echo "spark-$i,[$bind]:$(ssh_port "$slot" "$i") $key" >>"$hosts.new"
        cat >>"$config.new" <<END
Host spark-$i
  HostName $bind
  Port $(ssh_port "$slot" "$i")
  User root
  HostKeyAlias spark-$i
  IdentityFile "$lab_dir/id_ed25519"
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile "$lab_dir/known_hosts"
  StrictHostKeyChecking yes
  ConnectTimeout 5
END
    done
    mv "$config.new" "$config"
    mv "$hosts.new" "$hosts"
    # DOCKER_HOST=ssh://spark-1 runs `ssh` from PATH: this one knows the lab, and ~/.ssh stays untouched.
    mkdir -p "$lab_dir/bin"
    printf '#!/bin/sh\nexec %s -F "%s" "$@"\n' "$(command -v ssh)" "$config" >"$lab_dir/bin/ssh"
    chmod +x "$lab_dir/bin/ssh"
}

stack_file() { echo "$project/Pulumi.$lab_stack.yaml"; }

write_stack() {
    local arch numbers
    arch=$(docker version --format '{{.Server.Arch}}')
    read -r -d '' -a numbers <<<"$(node_numbers)" || :
    node "$here/lib/stack.mjs" write "$(stack_file)" "$(fabric_net "$slot")" "linux/$arch" \
        "${lab_dir#"$project"/}/ssh_config" "$(cat "$lab_dir/serves" 2>/dev/null || echo stand-in)" "${numbers[@]}"
}
