# shellcheck shell=sh disable=SC2154
# The model's folder in the hub cache: refs, snapshots, and the files of the one snapshot that will be used.
hub() {
    root=$(given hub "$@")
    model=$(given model "$@")
    wanted=$(given revision "$@")
    if [ -z "$root" ] || [ -z "$model" ]; then
        printf null
        return
    fi
    name=models--$(printf '%s' "$model" | sed 's,/,--,g')
    folder=$root/hub/$name
    hung=
    alive "$root" || hung=1
    if [ -n "$hung" ] || ! holds 5 test -d "$folder"; then
        state=missing
        if [ -n "$hung" ]; then state=hung; elif holds 5 test -d "$root/$name"; then state=misplaced; fi
        printf '{"state":"%s","folder":%s}' "$state" "$(str "$folder")"
        return
    fi
    # Raw bytes: the library takes them as they are, so a newline is a fault.
    main=$(within 5 head -c 200 "$folder/refs/main" | od -An -v -tx1 | tr -d ' \n')
    holds 5 test -e "$folder/refs/main" && has_main=true || has_main=false
    printf '{"state":"present","folder":%s,"hasMain":%s,"mainHex":"%s","snapshots":[' \
        "$(str "$folder")" "$has_main" "$main"
    separator=
    for snapshot in $(within 5 ls "$folder/snapshots"); do
        printf '%s%s' "$separator" "$(str "$snapshot")"
        separator=,
    done
    [ -n "$wanted" ] || wanted=$(within 5 head -c 40 "$folder/refs/main" | tr -cd 0-9a-f)
    printf '],"snapshot":'
    if [ -n "$wanted" ] && holds 5 test -d "$folder/snapshots/$wanted"; then
        snapshot "$folder/snapshots/$wanted" "$wanted"
    else
        printf null
    fi
    printf '}'
}

# Names of the snapshot's files, sizes of those whose link resolves, and what the index says of the shards.
snapshot() {
    printf '{"revision":%s,"names":[' "$(str "$2")"
    separator=
    within 10 ls -A -- "$1" | while IFS= read -r file; do
        printf '%s%s' "$separator" "$(str "$file")"
        separator=,
    done
    printf '],"sizes":{'
    (cd -- "$1" && within 20 stat -L -c '%s %n' -- *) | awk '
        { size = $1; sub(/^[0-9]+ /, ""); gsub(/["\\]/, ""); printf "%s\"%s\":%s", (n++ ? "," : ""), $0, size }'
    printf '},"wants":{%s},"shards":[' "$(wants "$1")"
    index=$1/model.safetensors.index.json
    within 20 grep -o '"[^"/]*\.safetensors"' "$index" | sort -u | paste -sd, - | tr -d '\n'
    total=$(within 10 grep -o '"total_size"[^,}]*' "$index" | head -n 1 | tr -cd 0-9)
    printf '],"totalSize":%s' "$(num "$total")"
    printf ',"config":"%s"}' "$(within 5 head -c 65536 "$1/config.json" | base64 | tr -d '\n')"
}

# The bytes that each shard says it has: its first 8 bytes are the length of a header, in which data_offsets tell where
# the tensors end. Perl, because a header has some hundred KiB and there are tens of shards; without it, nothing.
wants() {
    command -v perl >/dev/null || return
    # shellcheck disable=SC2016 # the dollar signs are perl's
    within 20 perl -e '
        opendir my $folder, $ARGV[0] or exit;
        for my $file (sort grep /^[^"\\]+\.safetensors$/, readdir $folder) {
            open my $in, "<:raw", "$ARGV[0]/$file" or next;
            next unless read($in, my $bytes, 8) == 8;
            my $length = unpack "Q<", $bytes;
            next if $length > 1e8 or read($in, my $header, $length) != $length;
            my $end = 0;
            while ($header =~ /"data_offsets"\s*:\s*\[\s*\d+\s*,\s*(\d+)/g) { $end = $1 if $1 > $end }
            push @found, sprintf(q("%s":%d), $file, 8 + $length + $end);
        }
        print join ",", @found' "$1"
}
