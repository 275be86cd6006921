#!/usr/bin/env python3
"""Prints a tar of a model hub's folder with one tiny model: 147,776 random parameters that answer with nonsense.

    docker run --rm -i --network none spark-lab-vllm:0.32.0 python3 - < makeModel.py | tar -xC HF_HOME/hub

A Llama of two layers in float16 with a byte-level tokenizer and a chat template, laid out as a download is (blobs, refs,
snapshots). The same bytes at every run with the image's package versions, so its revision, which is the hash of its
files, is pinned in recipes/tiny-cpu.
"""
import hashlib
import io
import json
import sys
import tarfile

import numpy
from safetensors.numpy import save
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

REPOSITORY = "local/tiny-cpu"
END, START, STOP, PAD = "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>"
HIDDEN, INNER, LAYERS, HEADS, KV_HEADS, HEAD = 64, 128, 2, 4, 2, 32
VOCABULARY = 384
SENTENCES = [
    "The quick brown fox jumps over the lazy dog.",
    "Hello, how are you today?",
    "Two nodes serve one model with tensor parallelism.",
    "system user assistant tool",
    "What is the capital of France? Paris is the capital of France.",
]
TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def text(value) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True).encode()


def tokenizer() -> bytes:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[END, START, STOP, PAD],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    made.train_from_iterator(SENTENCES * 20, trainer)
    return text(json.loads(made.to_str()))


def shapes():
    yield "model.embed_tokens.weight", (VOCABULARY, HIDDEN)
    for layer in range(LAYERS):
        inside = f"model.layers.{layer}."
        yield inside + "self_attn.q_proj.weight", (HEADS * HEAD, HIDDEN)
        yield inside + "self_attn.k_proj.weight", (KV_HEADS * HEAD, HIDDEN)
        yield inside + "self_attn.v_proj.weight", (KV_HEADS * HEAD, HIDDEN)
        yield inside + "self_attn.o_proj.weight", (HIDDEN, HEADS * HEAD)
        yield inside + "mlp.gate_proj.weight", (INNER, HIDDEN)
        yield inside + "mlp.up_proj.weight", (INNER, HIDDEN)
        yield inside + "mlp.down_proj.weight", (HIDDEN, INNER)
        yield inside + "input_layernorm.weight", (HIDDEN,)
        yield inside + "post_attention_layernorm.weight", (HIDDEN,)
    yield "model.norm.weight", (HIDDEN,)
    yield "lm_head.weight", (VOCABULARY, HIDDEN)


def weights() -> bytes:
    # The old generator: its numbers are promised to stay the same.
    random = numpy.random.RandomState(0)
    tensors = {
        name: (numpy.ones(shape) if len(shape) == 1 else random.normal(0, 0.02, shape)).astype(numpy.float16)
        for name, shape in shapes()
    }
    return save(tensors, {"format": "pt"})


def files() -> dict[str, bytes]:
    return {
        "config.json": text({
            "architectures": ["LlamaForCausalLM"], "model_type": "llama", "torch_dtype": "float16",
            "hidden_size": HIDDEN, "intermediate_size": INNER, "num_hidden_layers": LAYERS, "head_dim": HEAD,
            "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS, "vocab_size": VOCABULARY,
            "max_position_embeddings": 2048, "rms_norm_eps": 1e-6, "hidden_act": "silu",
            "bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 3, "tie_word_embeddings": False,
        }),
        "generation_config.json": text({"bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 3}),
        "model.safetensors": weights(),
        "tokenizer.json": tokenizer(),
        "tokenizer_config.json": text({
            "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 2048,
            "bos_token": END, "eos_token": STOP, "pad_token": PAD, "chat_template": TEMPLATE,
        }),
    }


def main() -> None:
    made = files()
    revision = hashlib.sha1(b"".join(name.encode() + made[name] for name in sorted(made))).hexdigest()
    root = "models--" + REPOSITORY.replace("/", "--")
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar:

        def add(path: str, content: bytes) -> None:
            entry = tarfile.TarInfo(f"{root}/{path}")
            entry.size = len(content)
            entry.mode = 0o644
            tar.addfile(entry, io.BytesIO(content))

        for name, content in made.items():
            blob = hashlib.sha256(content).hexdigest()
            add(f"blobs/{blob}", content)
            link = tarfile.TarInfo(f"{root}/snapshots/{revision}/{name}")
            link.type, link.linkname = tarfile.SYMTYPE, f"../../blobs/{blob}"
            tar.addfile(link)
        # Last, and without a newline: the hub's library reads the file as it is.
        add("refs/main", revision.encode())
    print(f"{REPOSITORY} {revision}", file=sys.stderr)


main()
