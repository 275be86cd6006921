/**
 * Takes off the single quotes that a shell would have taken off around JSON, once, with the line ends around them; a
 * container gets no shell. Any other word is returned as it is.
 */
export function unquote(word: string): string {
    const inner = /^\s*'([\s\S]*)'\s*$/.exec(word)?.[1];
    return inner !== undefined && /^\s*[[{]/.test(inner) && /[\]}]\s*$/.test(inner) ? inner : word;
}
