/** Words for a long transfer. Sizes are bytes. */
const gibibyte = 2 ** 30;

function size(bytes: number): string {
    return bytes < gibibyte
        ? `${(bytes / 2 ** 20).toFixed(1)} MiB`
        : `${(bytes / gibibyte).toFixed(1)} GiB`;
}

function span(seconds: number): string {
    if (seconds < 90) return `${String(Math.ceil(seconds))} s`;
    return `${String(Math.ceil(seconds / 60))} min`;
}

/** A look at a transfer: bytes there and in all, and when (seconds). */
export interface TransferLook {
    readonly done: number;
    readonly total: number;
    readonly seconds: number;
}

/** `12.3 GiB of 156.3 GiB (7 %), 112.0 MiB/s, 22 min left`; the pace is that since the first look. */
export function transferText(first: TransferLook, now: TransferLook): string {
    const { done, total } = now;
    const part = total === 0 ? 100 : Math.floor((100 * done) / total);
    const text = `${size(done)} of ${size(total)} (${String(part)} %)`;
    const pace = (done - first.done) / (now.seconds - first.seconds);
    if (!Number.isFinite(pace) || pace <= 0) return text;
    return `${text}, ${size(pace)}/s, ${span((total - done) / pace)} left`;
}

export { size as sizeText };
