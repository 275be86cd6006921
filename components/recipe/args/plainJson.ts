import { readArgs, type Word } from "./readArgs";
import { unquote } from "./unquote";

type Words = readonly (string | undefined)[];

function isJson(text: string): boolean {
    try {
        return typeof JSON.parse(text) === "object";
    } catch {
        return false;
    }
}

/** The value without quotes; of a flag that may take any text only JSON is freed from them. */
function plain(value: string, mustBeJson: boolean): string {
    const inner = unquote(value);
    if (inner === undefined) return value;
    return mustBeJson || isJson(inner) ? inner : value;
}

/**
 * The recipe's words as a container gets them: a shell would take the quotes off JSON arguments, a container has none.
 * Values of other flags keep every character.
 */
export function plainJson(args: Words): Words {
    const values = readArgs(args).given.flatMap(({ flag, keys, attached, values: own }) => {
        const mustBeJson = flag?.kind === "json" && keys.length === 0;
        const mayBeJson = flag === undefined || flag.kind === "json-or-string";
        return mustBeJson || mayBeJson ? own.map((word) => ({ word, attached, mustBeJson })) : [];
    });
    return args.map((text, i) => {
        const value = values.find(({ word }: { word: Word }) => word.index === i);
        if (text === undefined || value?.word.text === undefined) return text;
        const bare = plain(value.word.text, value.mustBeJson);
        return value.attached ? text.slice(0, text.length - value.word.text.length) + bare : bare;
    });
}
