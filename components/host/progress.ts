/** Shows a long step line by line with its elapsed time; Pulumi forwards stderr to its display. */
export interface Progress {
    /** Seconds since the step began. */
    readonly seconds: () => number;
    /** One line now, about one node or (empty name) the group. */
    readonly say: (node: string, text: string) => void;
    /** A line that may be left out: at most one a second is shown. */
    readonly tick: (node: string, text: string) => void;
}

const tickMilliseconds = 1000;

/** Starts the clock. `write` gets whole lines without their end. */
export function startProgress(write: (line: string) => void): Progress {
    const started = Date.now();
    let lastTick = 0;
    const seconds = () => (Date.now() - started) / 1000;
    const say = (node: string, text: string) => {
        const at = `${String(Math.round(seconds())).padStart(5)} s`;
        write(node === "" ? `${at}  ${text}` : `${at}  ${node}  ${text}`);
    };
    return {
        seconds,
        say,
        tick: (node, text) => {
            if (Date.now() - lastTick < tickMilliseconds) return;
            lastTick = Date.now();
            say(node, text);
        },
    };
}
