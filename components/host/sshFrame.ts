import guard from "./guard.sh";

export interface Frame {
    /** What the login shell is given: constant, so no data is ever in an argument list. */
    readonly command: string;
    /** First part of stdin; heartbeats follow. */
    readonly stdin: string;
    /** Lines that mark our part of both streams: a login shell may print before it. */
    readonly start: string;
    readonly end: string;
}

export interface FrameOptions {
    readonly args?: readonly string[];
    readonly input?: string;
    readonly timeoutSeconds?: number;
}

// `sh -s` would not do: dash reads ahead, so what follows the script on stdin would be lost to the guard.
// `read` takes single bytes and `head -c` no more than it is told.
const command = `exec sh -c 'IFS= read -r n && eval "$(head -c "$n")"'`;

/** Wraps a script so that it runs under guard.sh. `nonce` must be hard to guess for what the script prints. */
export function frame(script: string, options: FrameOptions, nonce: string): Frame {
    const start = `spark-vllm-start-${nonce}`;
    const end = `spark-vllm-end-${nonce}`;
    const settings: Readonly<Record<string, string>> = {
        spark_script: script,
        spark_start: start,
        spark_end: end,
        spark_limit: String(options.timeoutSeconds ?? ""),
        ...(options.input === undefined ? {} : { spark_input: options.input }),
    };
    const text = [
        ...Object.entries(settings).map(([name, value]) => `${name}=${quote(value)}`),
        ["set --", ...(options.args ?? []).map(quote)].join(" "),
        guard,
    ].join("\n");
    return { command, stdin: `${String(Buffer.byteLength(text))}\n${text}`, start, end };
}

/** A word of sh that means exactly this text. */
export function quote(text: string): string {
    return `'${text.replaceAll("'", `'\\''`)}'`;
}
