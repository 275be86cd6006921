/**
 * What a shell makes of a word in single quotes, once, with line ends and spaces around it gone; undefined when the
 * word is not in them.
 */
export function unquote(word: string): string | undefined {
    return /^\s*'([\s\S]*)'\s*$/.exec(word)?.[1];
}
