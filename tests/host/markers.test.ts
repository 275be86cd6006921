import { parseMarker } from "../../components/host/markers";

const prefix = "(Worker_TP0 pid=71) INFO 12-02 05:00:00 [gpu_model_runner.py:3338] ";

test.each([
    [
        "Model loading took 84.02 GiB memory and 401.5 seconds",
        { stage: "model", text: "model loaded, 84.02 GiB", progress: false, figure: 84.02 },
    ],
    [
        "GPU KV cache size: 1,250,304 tokens",
        { stage: "kv-cache", text: "KV cache 1,250,304 tokens", progress: false, figure: 1250304 },
    ],
    // The CPU build's words (facts.md).
    [
        "CPU KV cache size: 262,144 tokens, Maximum concurrency 512.00x",
        { stage: "kv-cache", text: "KV cache 262,144 tokens", progress: false, figure: 262144 },
    ],
    [
        "Loading safetensors checkpoint shards:  33% Completed | 16/48 [00:10<00:20,  1.6it/s]",
        { stage: "weights", text: "weights 33 % (16/48)", progress: true, figure: 33 },
    ],
    [
        "Capturing CUDA graphs (decode, FULL):  50%|#####     | 8/16",
        { stage: "graphs", text: "graphs 50 %", progress: true, figure: 50 },
    ],
    [
        "INFO:     Application startup complete.",
        { stage: "started", text: "API started", progress: false },
    ],
    [
        "dsv4_vision plugin registered",
        { stage: "plugin", text: "plugin registered", progress: false },
    ],
])("%s", (line, marker) => {
    expect(parseMarker(prefix + line)).toEqual(marker);
});

test("any other line is none", () => {
    expect(parseMarker(`${prefix}Resolved architecture: LlamaForCausalLM`)).toBeUndefined();
});
