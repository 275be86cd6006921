/** The part of the node's memory that a rank's engine wants free at its start, as the command says it. */
export function memoryShare(command: readonly string[]): string {
    return commandFlag(command, ["--gpu-memory-utilization"]) ?? "0.9";
}

/** The last value of a flag in a rank's command, by any of its names; `--flag=value` too, underscores as dashes. */
export function commandFlag(
    command: readonly string[],
    names: readonly string[],
): string | undefined {
    const found = command.flatMap((word, index) => {
        if (!word.startsWith("--")) return [];
        const [flag = "", ...rest] = word.split("=");
        if (!names.includes(flag.replaceAll("_", "-"))) return [];
        const value = rest.length > 0 ? rest.join("=") : command[index + 1];
        return value === undefined ? [] : [value];
    });
    return found.at(-1);
}
