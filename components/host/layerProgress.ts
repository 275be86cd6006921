/** Reads what `docker pull` prints without a terminal, a line whenever a layer's state changes, and counts layers. */
export function layerProgress(
    onLayers: (done: number, known: number) => void,
): (line: string) => void {
    const known = new Set<string>();
    const done = new Set<string>();
    return (line) => {
        const [, layer, what = ""] = /^([0-9a-f]{12}): (.*)$/.exec(line) ?? [];
        if (layer === undefined) return;
        known.add(layer);
        if (/^(Pull complete|Already exists)/.test(what)) done.add(layer);
        onLayers(done.size, known.size);
    };
}
