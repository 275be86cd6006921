/** Names whose value is a secret, in the spelling of keys, flags and variables. */
const secretName =
    /(?:^|[_.-])(?:api[_-]?keys?|tokens?|secrets?|secret[_-]access[_-]key|secret[_-]key|access[_-]key(?:[_-]id)?|passw(?:or)?d|passphrase|credentials?|private[_-]key)$/i;

/** Names that end alike and hold none: counts of what a model reads, and switches (HF_HUB_DISABLE_IMPLICIT_TOKEN). */
const noSecret =
    /(?:^|[_.-])(?:max|min|num|total|batched|scheduled|speculative|spec|queued|bad[_-]words)\w*[_-]tokens?$|fastokens$|(?:^|[_-])(?:disable|enable|use|no|skip)[_-]/i;

/** Texts that are secrets by their form, whatever the name: tokens of hubs, clouds and code hosts, keys. */
const secretText =
    /\bhf_[A-Za-z0-9]{16,}|\bsk-[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[\w-]{10,}|\bBearer\s+[\w.~+/-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"']{1,100}:[^\s/@"']{1,200}@/;

/** Whether what a name holds is a secret. */
export function isSecretName(name: string): boolean {
    return secretName.test(name) && !noSecret.test(name);
}

/** Whether a text is or holds a secret by its form. */
export function holdsSecret(text: string): boolean {
    return secretText.test(text);
}

/** Longest line that is looked through, in characters; no person reads a longer one. */
const maxLength = 2000;

/** A line for a message, with what may be a secret taken out. */
export function withoutSecrets(line: string): string {
    if (line.length > maxLength) return "…";
    const byForm = line.replace(new RegExp(secretText, "g"), "…");
    // `api_key = "…"`, `"--api-key", "…"`, `--api-key …`, `"token": "…"`: all behind the name, since a broken line does
    // not tell where its value ends.
    const name = [...byForm.matchAll(/([\w.-]*[A-Za-z])(?:["']?\s*[=:,]\s*|\s+)["']?/g)].find(
        ([whole, word = ""]) => isSecretName(word) && (/[=:,]/.test(whole) || word.startsWith("-")),
    );
    if (name === undefined) return byForm;
    const shown = byForm.slice(0, name.index + name[0].length);
    return shown.length < byForm.length ? `${shown}…` : byForm;
}
