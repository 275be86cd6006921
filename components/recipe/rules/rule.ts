import type { Given, Word } from "../args/readArgs";
import type { Draft } from "../draft";
import type { Finding, Path } from "../finding";
import { isSecretName } from "../secrets";

/** A rule over several parts of a recipe: pure, knows no lines, is silent when what it needs is wrong or missing. */
export type Rule = (draft: Draft) => readonly Finding[];

/** The place of an argument. */
export const argAt = (index: number): Path => ["args", index];

/** A flag as typed, with dots: `--speculative-config.method`. */
export const spelled = ({ name, keys }: Given): string => [name, ...keys].join(".");

/** The words of a flag's values that are text. */
export function texts(given: Given): readonly (Word & { readonly text: string })[] {
    return given.values.flatMap(({ index, text }) => (text === undefined ? [] : [{ index, text }]));
}

/** The flag of that long name, when the arguments have it. */
export function givenFlag({ read }: Draft, name: string): Given | undefined {
    return read.given.find((given) => given.name === name && given.keys.length === 0);
}

/** Whether a flag's value must never be shown. */
export function isSecretFlag({ flag, name, keys }: Given): boolean {
    const last = keys.at(-1);
    if (last !== undefined) return secretKey.test(last);
    return flag === undefined ? isSecretName(name) : ["--api-key", "--hf-token"].includes(name);
}

/** Keys inside JSON; words like eos_token are none. */
export const secretKey =
    /^(?:api_?key|(?:hf_|auth_|access_|bearer_)?token|password|passwd|secret(?:_(?:access_)?key)?|client_secret)$/i;
