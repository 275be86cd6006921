import type { Instruction } from "./types";

const heredoc = /(?<!<)<<-?(["']?)([A-Za-z_]\w*)\1/g;
const mayHoldHeredoc = new Set(["RUN", "COPY", "ADD"]);

/** Reads lines one after the other; `next` is undefined at the end. */
class Lines {
    private at = 0;
    constructor(private readonly lines: readonly string[]) {}
    /** 1-based number of the line that `next` gave last. */
    get number(): number {
        return this.at;
    }
    next(): string | undefined {
        return this.lines[this.at++];
    }
}

/**
 * Splits a Dockerfile into instructions: comments, continuation lines and here-documents are
 * understood, so that a `FROM` inside a script is none. A file that Docker refuses still gives what
 * can be read: Docker's own message is the better one.
 */
export function parseDockerfile(text: string): readonly Instruction[] {
    const lines = new Lines(text.replace(/^\uFEFF/, "").split(/\r?\n/));
    const instructions: Instruction[] = [];
    let comments: string[] = [];
    for (let line = lines.next(); line !== undefined; line = lines.next()) {
        const trimmed = line.trim();
        if (trimmed.startsWith("#")) {
            comments.push(trimmed.slice(1).trim());
            continue;
        }
        if (trimmed !== "") instructions.push(readInstruction(trimmed, lines, comments));
        comments = [];
    }
    return instructions;
}

function readInstruction(first: string, lines: Lines, comments: readonly string[]): Instruction {
    const line = lines.number;
    const whole = joinContinued(first, lines);
    const [keyword = ""] = whole.split(/\s/, 1);
    const instruction = {
        keyword: keyword.toUpperCase(),
        text: whole.slice(keyword.length).trim(),
        line,
        comments,
    };
    if (mayHoldHeredoc.has(instruction.keyword)) skipHeredocs(instruction.text, lines);
    return instruction;
}

function joinContinued(first: string, lines: Lines): string {
    let whole = first;
    while (/\\[ \t]*$/.test(whole)) {
        const next = lines.next()?.trim();
        if (next === undefined) break;
        // Docker skips comments and blank lines between continued lines.
        if (next === "" || next.startsWith("#")) continue;
        whole = whole.replace(/\\[ \t]*$/, " ") + next;
    }
    return whole;
}

function skipHeredocs(text: string, lines: Lines): void {
    for (const [, , end] of text.matchAll(heredoc)) {
        for (let line = lines.next(); line !== undefined; line = lines.next()) {
            if (line.replace(/^\t+/, "") === end) break;
        }
    }
}
