import type { Given } from "../args/readArgs";
import type { Finding } from "../finding";
import { invisible, charName, show } from "../show";
import { isManaged } from "./managedFlags";
import { argAt, isSecretFlag, type Rule } from "./rule";

type Words = Pick<Finding, "problem" | "expected" | "fix">;

function withoutValue(given: Given): Words | undefined {
    const { flag, values, keys } = given;
    if (flag === undefined || values.length > 0 || flag.optionalValue) return undefined;
    const needsOne = keys.length > 0 || !["switch", "switch-no", "help"].includes(flag.kind);
    return needsOne
        ? {
              problem: `${given.typed} has no value`,
              expected: "its value as the next item",
              fix: `a value that begins with a dash is written ${show(`${given.typed}=-…`)}`,
          }
        : undefined;
}

/** `--flag.key value` makes JSON of the flag's value. */
function partOfNoJson({ flag, keys, typed }: Given): Words | undefined {
    if (flag === undefined || keys.length === 0 || flag.kind.startsWith("json")) return undefined;
    return {
        problem: `${typed} names a part of ${flag.name}, whose value is no JSON`,
        expected: "dots only in flags that take JSON",
        fix: `write ${flag.name}`,
    };
}

function switchWithValue({ flag, typed, attached, values }: Given): Words | undefined {
    const isSwitch = flag?.kind === "switch" || flag?.kind === "switch-no";
    return isSwitch && attached
        ? {
              problem: `${typed} is a switch, but has the value ${show(values[0]?.text ?? "")}`,
              expected: "no value: a switch stands alone",
              fix: `write ${show(typed)}${flag.kind === "switch-no" ? `, or ${show(flag.name.replace("--", "--no-"))} for off` : ""}`,
          }
        : undefined;
}

function unclear({ candidates, typed }: Given): Words | undefined {
    return candidates.length > 0
        ? {
              problem: `${typed} is the beginning of several flags`,
              expected: `one of ${candidates.slice(0, 5).join(", ")}${candidates.length > 5 ? ", …" : ""}`,
              fix: "write the name in full",
          }
        : undefined;
}

function ends({ flag, typed, name }: Given): Words | undefined {
    if (flag?.kind === "help") {
        return {
            problem: `${typed} prints the engine's help and ends it`,
            expected: "arguments that serve a model",
            fix: "remove it",
        };
    }
    return name === "--"
        ? {
              problem: '"--" makes everything behind it a plain word',
              expected: "flags and their values",
              fix: "remove it",
          }
        : undefined;
}

/** Of a dot behind a dash the engine makes a part of JSON, and trips over it. */
function negative({ name, typed }: Given): Words | undefined {
    return /^-[\d.]/.test(name)
        ? {
              problem: `${typed} is a flag to the engine, not a number`,
              expected: "a number with a dash and a dot behind an equals sign",
              fix: `write it as ${show(`--flag=${typed}`)}, or remove it`,
          }
        : undefined;
}

function unseen({ flag, typed }: Given): Words | undefined {
    const [char] = new RegExp(`${invisible.source}|[^\\x20-\\x7e]`, "u").exec(typed) ?? [];
    return flag === undefined && char !== undefined
        ? {
              problem: `the flag ${show(typed)} holds ${charName(char)}`,
              expected: "a flag in plain letters, digits and hyphens",
              fix: "type it anew",
          }
        : undefined;
}

/** Lost values, values of switches, names that say too little: the engine would refuse them in the container. */
export const flagsAreWhole: Rule = ({ read }) =>
    read.given
        .filter((given) => !isManaged(given) && !(isSecretFlag(given) && given.values.length > 0))
        .flatMap((given) => {
            const words = [
                withoutValue,
                partOfNoJson,
                switchWithValue,
                unclear,
                ends,
                negative,
                unseen,
            ]
                .map((check) => check(given))
                .find((found) => found !== undefined);
            return words === undefined
                ? []
                : [{ code: "bad-value", at: argAt(given.index), ...words }];
        });
