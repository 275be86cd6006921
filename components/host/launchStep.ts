import { launch, type LaunchInput } from "./launch";
import { startProgress } from "./progress";

/**
 * The launch as a program: progress on stderr, the result on stdout. When it is told to end, the ranks go on,
 * and the next launch waits on. SPARK_VERBOSE=1 shows every line of every rank's log.
 */
export async function launchStep(input: LaunchInput, signal: AbortSignal): Promise<object> {
    const apiKey = process.env["SPARK_VLLM_API_KEY"];
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    const verbose = ["1", "true"].includes(process.env["SPARK_VERBOSE"] ?? "");
    return launch(input, {
        progress,
        verbose,
        signal,
        ...(apiKey === undefined ? {} : { apiKey }),
    });
}
