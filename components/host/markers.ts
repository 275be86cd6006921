/** What one line of an engine's log tells about the boot. */
export interface Marker {
    readonly stage: "plugin" | "weights" | "model" | "kv-cache" | "graphs" | "started";
    /** Short text for the progress display. */
    readonly text: string;
    /** Repeats many times, so that the display may leave some out. */
    readonly progress: boolean;
    /** GiB, tokens or percent, by stage. */
    readonly figure?: number;
}

interface Pattern {
    readonly stage: Marker["stage"];
    readonly pattern: RegExp;
    readonly text: (match: RegExpExecArray) => string;
    readonly progress?: boolean;
    readonly figure?: (match: RegExpExecArray) => number;
}

/**
 * Boot markers of vLLM 0.32.0 in their order (facts.md; the CPU build says "CPU KV cache size" and has no
 * "Model loading took").
 */
const patterns: readonly Pattern[] = [
    {
        stage: "plugin",
        pattern: /\bplugins?\b.*\b(?:register|load)ed\b|\bregister(?:ed|ing)\b.*\bplugin\b/i,
        text: () => "plugin registered",
    },
    {
        stage: "weights",
        pattern: /Loading \S+ checkpoint shards:\s+(\d+)% Completed \| (\d+)\/(\d+)/,
        text: ([, percent, done, all]) => `weights ${percent ?? ""} % (${done ?? ""}/${all ?? ""})`,
        progress: true,
        figure: ([, percent]) => Number(percent),
    },
    {
        stage: "model",
        pattern: /Model loading took ([\d.]+) GiB/,
        text: ([, gib]) => `model loaded, ${gib ?? ""} GiB`,
        figure: ([, gib]) => Number(gib),
    },
    {
        stage: "kv-cache",
        pattern: /[CG]PU KV cache size: ([\d,]+) tokens/,
        text: ([, tokens]) => `KV cache ${tokens ?? ""} tokens`,
        figure: ([, tokens]) => Number((tokens ?? "").replaceAll(",", "")),
    },
    {
        stage: "graphs",
        pattern: /Capturing CUDA graphs?[^:]*:\s+(\d+)%/,
        text: ([, percent]) => `graphs ${percent ?? ""} %`,
        progress: true,
        figure: ([, percent]) => Number(percent),
    },
    {
        stage: "started",
        pattern: /Application startup complete/,
        text: () => "API started",
    },
];

/** The marker in a log line, if it holds one. */
export function parseMarker(line: string): Marker | undefined {
    for (const { stage, pattern, text, progress = false, figure } of patterns) {
        const match = pattern.exec(line);
        if (match === null) continue;
        return {
            stage,
            text: text(match),
            progress,
            ...(figure === undefined ? {} : { figure: figure(match) }),
        };
    }
    return undefined;
}
