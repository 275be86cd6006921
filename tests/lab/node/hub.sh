# shellcheck shell=bash
# The NAS's model hub: real layout, names and sizes; the weights are sparse files with a valid header.
# 48 shards that sum to 156.29 GiB, as the real checkpoint's do.

hub_model=models--deepseek-ai--DeepSeek-V4-Flash-Vision-Exp
hub_revision=86f746b36186f0e567729a5c06a8c918caba82a9
hub_shards=48
hub_bytes=167815109837 # 156.29 GiB

# little_endian NUMBER: eight bytes, the length that a safetensors file begins with
little_endian() {
    local n=$1 i
    for i in 1 2 3 4 5 6 7 8; do
        # shellcheck disable=SC2059
        printf "\\x$(printf %02x $((n & 255)))"
        n=$((n >> 8))
    done
}

# link BLOB NAME: a snapshot holds links to blobs
link_blob() { ln -s "../../blobs/$1" "$snapshot/$2"; }

# small NAME: a text file from stdin; its blob is named by its git hash, as the hub does for files outside LFS
small() {
    local text id
    text=$(cat)
    id=$(printf 'blob %d\0%s\n' $((${#text} + 1)) "$text" | sha1sum | cut -d' ' -f1)
    printf '%s\n' "$text" >"$blobs/$id"
    link_blob "$id" "$1"
}

# shard INDEX BYTES: prints the tensor's bytes
shard() {
    local name header id tensor
    name=$(printf 'model-%05d-of-%05d.safetensors' "$1" $hub_shards)
    id=$(echo "$name" | sha256sum | cut -d' ' -f1)
    # The header's own length is in the numbers it holds: padded to 128 bytes, as safetensors allows.
    tensor=$(($2 - 8 - 128))
    header=$(printf '{"model.layers.%d.weight":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' "$(($1 - 1))" $tensor $tensor)
    { little_endian 128 && printf '%-128s' "$header"; } >"$blobs/$id"
    truncate -s "$2" "$blobs/$id"
    link_blob "$id" "$name"
    echo $tensor
}

make_hub() {
    local root=$1/$hub_model blobs snapshot i bytes each total=0 sum=0 map=""
    [ -f "$root/refs/main" ] && return
    blobs=$root/blobs snapshot=$root/snapshots/$hub_revision
    rm -rf "$root"
    mkdir -p "$blobs" "$snapshot" "$root/refs"
    each=$((hub_bytes / hub_shards))
    for ((i = 1; i <= hub_shards; i++)); do
        # shards differ by some MiB; the last one makes the sum exact
        bytes=$((each + (i % 7 - 3) * 7340032))
        [ $i -lt $hub_shards ] || bytes=$((hub_bytes - sum))
        sum=$((sum + bytes))
        total=$((total + $(shard $i $bytes)))
        map+=$(printf ',\n    "model.layers.%d.weight": "model-%05d-of-%05d.safetensors"' $((i - 1)) $i $hub_shards)
    done
    printf '{\n  "metadata": {"total_size": %d},\n  "weight_map": {%s\n  }\n}\n' $total "${map#,}" | small model.safetensors.index.json
    model_files
    # without a newline: the hub's library reads the file as it is
    printf %s $hub_revision >"$root/refs/main"
}

model_files() {
    small config.json <<'END'
{
  "architectures": ["DeepseekV4ForConditionalGeneration"],
  "model_type": "deepseek_v4",
  "torch_dtype": "bfloat16",
  "hidden_size": 4096,
  "num_hidden_layers": 43,
  "num_attention_heads": 64,
  "num_nextn_predict_layers": 1,
  "n_predict": 3,
  "rms_norm_eps": 1e-20,
  "max_position_embeddings": 1048576,
  "vocab_size": 129280,
  "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
  "vision_config": {"model_type": "deepseek_v4_vision", "patch_size": 14}
}
END
    echo '{"bos_token_id": 0, "eos_token_id": 1, "temperature": 1.0, "top_p": 0.95}' | small generation_config.json
    echo '{"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 1048576}' | small tokenizer_config.json
    echo '{"version": "1.0", "model": {"type": "BPE", "vocab": {}, "merges": []}}' | small tokenizer.json
    echo '{"image_processor_type": "DeepseekV4ImageProcessor", "patch_size": 14}' | small preprocessor_config.json
}
