/** The last line of what a command said: most put the reason there. Empty when it said nothing. */
export function lastLine(text: string): string {
    return text.trim().split("\n").at(-1) ?? "";
}
