/** Shows a long step line by line with its elapsed time; Pulumi forwards stderr to its display. */
export interface Progress {
    /** Seconds since the step began. */
    readonly seconds: () => number;
    /** One line now, about one node or (empty name) the group. */
    readonly say: (node: string, text: string) => void;
    /**
     * News that may wait: at most a line a second, with all that came since the last one. Of news with the same
     * key (a percentage that grows) only the latest is shown.
     */
    readonly tick: (node: string, text: string, key?: string) => void;
    /** Shows what waits. */
    readonly flush: () => void;
}

const tickMilliseconds = 1000;

/** Starts the clock. `write` gets whole lines without their end. */
export function startProgress(write: (line: string) => void): Progress {
    const started = Date.now();
    const waiting = new Map<string, { readonly node: string; readonly text: string }>();
    let lastTick = 0;
    let timer: NodeJS.Timeout | undefined;
    const seconds = () => (Date.now() - started) / 1000;
    const show = (node: string, text: string) => {
        const at = `${String(Math.round(seconds())).padStart(5)} s`;
        write(node === "" ? `${at}  ${text}` : `${at}  ${node}  ${text}`);
    };
    const flush = () => {
        clearTimeout(timer);
        timer = undefined;
        if (waiting.size === 0) return;
        lastTick = Date.now();
        show("", joined([...waiting.values()]));
        waiting.clear();
    };
    return {
        seconds,
        say: (node, text) => {
            flush();
            show(node, text);
        },
        tick: (node, text, key = text) => {
            waiting.set(`${node} ${key}`, { node, text });
            timer ??= setTimeout(flush, Math.max(0, lastTick + tickMilliseconds - Date.now()));
        },
        flush,
    };
}

/** `spark-1  weights 40 %; API started  spark-2  weights 42 %`: each node named once. */
function joined(news: readonly { readonly node: string; readonly text: string }[]): string {
    const nodes = [...new Set(news.map(({ node }) => node))].toSorted();
    return nodes
        .map((name) => {
            const texts = news.filter(({ node }) => node === name).map(({ text }) => text);
            return name === "" ? texts.join("; ") : `${name}  ${texts.join("; ")}`;
        })
        .join("   ");
}
