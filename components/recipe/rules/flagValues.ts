import { attentionBackends, engineVersion, type Flag, type ValueType } from "../args/flagTable";
import type { Finding } from "../finding";
import { nearest } from "../nearest";
import { show } from "../show";
import { isManaged } from "./managedFlags";
import { argAt, isSecretFlag, texts, type Rule } from "./rule";

const int = String.raw`\s*[+-]?\d+(?:_\d+)*\s*`;
const size = String.raw`${int}|\s*(?:\d+[kKmMgGtT]|\d+\.\d+[kmgt])\s*`;

/** Types that take any text. */
type Text = "json" | "str" | "lower";

const isText = (type: ValueType): type is Text => ["json", "str", "lower"].includes(type);

/** What the engine's own converters take, as they are in Python. */
const converters: Readonly<Record<Exclude<ValueType, Text>, readonly [RegExp, string]>> = {
    int: [new RegExp(`^(?:${int})$`), "a whole number"],
    float: [/^\s*[+-]?(?:\d[\d_]*\.?\d*|\.\d+|inf|infinity|nan)(?:e[+-]?\d+)?\s*$/i, "a number"],
    size: [
        new RegExp(`^(?:${size})$`),
        "a whole number, or one like 12k (thousands) or 12K (1024s)",
    ],
    "size-or-auto": [
        new RegExp(`^(?:${size}|\\s*[aA][uU][tT][oO]\\s*)$`),
        "a whole number, one like 12k or 12K, or auto",
    ],
};

/** Values that images with a fork of the engine add to. */
const isOpen = ({ name }: Flag) => name.endsWith("-backend") || name === "--spec-method";

/** The engine compares these in small letters, with underscores. */
const same = (a: string, b: string, loose: boolean) =>
    a === b || (loose && a.trim().toLowerCase().replaceAll("-", "_") === b.toLowerCase());

const listed = (choices: readonly string[]) =>
    choices.length > 12 ? `${choices.slice(0, 12).join(", ")}, …` : choices.join(", ");

function outOfChoices(flag: Flag, text: string, index: number): Finding | undefined {
    const isAttention = flag.name === "--attention-backend";
    const choices = isAttention ? attentionBackends : flag.choices;
    const loose = isAttention || flag.type === "lower";
    if (choices?.some((choice) => same(text, choice, loose)) ?? true) return undefined;
    const best = nearest(text, choices ?? [], 2);
    const fix = best === undefined ? {} : { fix: `did you mean ${best}?` };
    const expected = `one of ${listed(choices ?? [])}`;
    return isOpen(flag)
        ? {
              code: "unknown-flag",
              severity: "warning",
              at: argAt(index),
              problem: `vLLM ${engineVersion} has no ${show(text)} for ${flag.name}`,
              expected: `an image whose engine has it, or ${expected}`,
              ...fix,
          }
        : {
              code: "bad-value",
              at: argAt(index),
              problem: `${flag.name} cannot be ${show(text)}`,
              expected,
              ...fix,
          };
}

function wrongType({ type, name }: Flag, text: string, index: number): Finding | undefined {
    if (type === undefined || isText(type)) return undefined;
    const [pattern, expected] = converters[type];
    return pattern.test(text)
        ? undefined
        : {
              code: "bad-value",
              at: argAt(index),
              problem: `${name} cannot be ${show(text)}`,
              expected,
          };
}

/** Values that the engine's own parser would refuse. */
export const flagValues: Rule = ({ read }) =>
    read.given.flatMap((given) => {
        const { flag, keys } = given;
        if (flag === undefined || keys.length > 0 || isManaged(given) || isSecretFlag(given))
            return [];
        return texts(given).flatMap(({ text, index }) => {
            if (flag.nullable && (text === "" || text === "None")) return [];
            return wrongType(flag, text, index) ?? outOfChoices(flag, text, index) ?? [];
        });
    });
