import * as fs from "node:fs";
import * as path from "node:path";

export const model = "deepseek-ai/DeepSeek-V4-Flash-Vision-Exp";
export const commit = "86f746b36186f0e567729a5c06a8c918caba82a9";

/** A hub cache with a model of 48 tiny shards, as `HF_HOME` of the ranks. Returns the model's folder. */
export function makeHub(home: string): string {
    const folder = path.join(home, "hub", `models--${model.replaceAll("/", "--")}`);
    const snapshot = path.join(folder, "snapshots", commit);
    fs.mkdirSync(snapshot, { recursive: true });
    fs.mkdirSync(path.join(folder, "refs"));
    fs.writeFileSync(path.join(folder, "refs", "main"), commit);
    const config = {
        architectures: ["DeepseekV4ForCausalLM"],
        max_position_embeddings: 1048576,
        num_nextn_predict_layers: 3,
    };
    fs.writeFileSync(path.join(snapshot, "config.json"), JSON.stringify(config));
    for (let shard = 1; shard <= 48; shard++) {
        const number = String(shard).padStart(5, "0");
        fs.writeFileSync(path.join(snapshot, `model-${number}-of-00048.safetensors`), "x");
    }
    return folder;
}
