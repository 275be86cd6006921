import { errorText } from "../errorText";
import type { GroupNode } from "../group";
import { lastLine } from "../lastLine";
import { layerProgress } from "../layerProgress";
import { runScript } from "../ssh";
import takeScript from "./take.sh";

/** What became of one receiver. */
export interface Taken {
    readonly node: string;
    /** Whether it reached the sender all the time. */
    readonly reached: boolean;
    /** Absent: it has the image. */
    readonly error?: string;
}

export interface TakeOptions {
    readonly address: string;
    readonly port: number;
    readonly digest: string;
    readonly tag: string;
    readonly token: string;
    readonly timeoutSeconds: number;
    readonly onLayers: (done: number, known: number) => void;
    readonly signal: AbortSignal;
}

/** Has one node's Docker take an offered image. The image has its name there only when all of it has come. */
export async function takeImage(node: GroupNode, options: TakeOptions): Promise<Taken> {
    const { address, port, digest, tag, token, timeoutSeconds, onLayers, signal } = options;
    const result = await runScript(node, takeScript, {
        args: [address, String(port), digest, tag],
        input: `${token}\n`,
        timeoutSeconds,
        signal,
        onLine: layerProgress(onLayers),
    }).catch((error: unknown) => ({
        code: 1,
        stderr: errorText(error),
    }));
    if (result.code === 0) return { node: node.name, reached: true };
    const error = lastLine(result.stderr) || `code ${String(result.code)}`;
    // Nobody can do anything with the door's number and the token.
    const plain = error.replaceAll(/127\.0\.0\.1:\d+\/\S*|spark-vllm-ship\/\S*/g, "the image");
    return { node: node.name, reached: result.code !== 66, error: plain };
}
