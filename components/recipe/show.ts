import { withoutSecrets } from "./secrets";

/** Longest value in a message, in characters. */
const maxLength = 80;

const names: Readonly<Record<string, string>> = {
    "\u0000": "NUL",
    "\r": "carriage return",
    "\u001b": "escape",
    "\u00a0": "no-break space",
    "\u200b": "zero width space",
    "\u200c": "zero width non-joiner",
    "\u200d": "zero width joiner",
    "\u2010": "hyphen",
    "\u2011": "non-breaking hyphen",
    "\u2012": "figure dash",
    "\u2013": "en dash",
    "\u2014": "em dash",
    "\u2212": "minus sign",
    "\u2018": "left single quotation mark",
    "\u2019": "right single quotation mark",
    "\u201c": "left double quotation mark",
    "\u201d": "right double quotation mark",
    "\ufeff": "byte order mark",
};

/** A character by its number and, where people mistake it for another, its name: `U+00A0 (no-break space)`. */
export function charName(char: string): string {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const name = names[char];
    return name === undefined ? `U+${code}` : `U+${code} (${name})`;
}

/** Characters that nobody sees, or takes for others: control, format, separators other than the space. */
export const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]|(?! )\p{Zs}/u;

/** A value in a message: in quotes, on one line, invisible characters as numbers, cut when long, without secrets. */
export function show(value: string): string {
    const short = value.length > maxLength ? `${value.slice(0, maxLength - 1)}…` : value;
    return JSON.stringify(withoutSecrets(short)).replace(
        new RegExp(invisible, "gu"),
        (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
    );
}
