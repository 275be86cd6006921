import type { Given } from "../args/readArgs";
import type { Finding } from "../finding";
import { charName, show } from "../show";
import { argAt, type Rule } from "./rule";

/** Dashes that word processors make of two hyphens. */
const falseDash = /^[\u2010-\u2015\u2212]/;

/** `--max-model-len 8192` in one item. */
function flagAndValue(index: number, text: string): Finding | undefined {
    const [, flag = "", value = ""] = /^(-[^\s]*)\s+([\s\S]*)$/.exec(text) ?? [];
    if (flag === "") return undefined;
    return {
        code: "bad-value",
        at: argAt(index),
        problem:
            value.trim() === ""
                ? `${show(text)} ends in a space`
                : `one item holds a flag and its value: ${show(text)}`,
        expected: "each word an item of its own",
        fix:
            value.trim() === ""
                ? `write ${show(flag)}`
                : `write ${show(flag)}, ${show(value.trim())} (or ${show(`${flag}=${value.trim()}`)})`,
    };
}

function afterSwitch(
    text: string,
    { name, off, flag }: Given,
): Pick<Finding, "problem" | "expected" | "fix"> {
    const isOff = /^(?:false|0|no|off)$/i.test(text);
    const other = flag?.kind === "switch-no" && !off && isOff;
    return {
        problem: `stray value ${show(text)} after the switch ${off ? name.replace("--", "--no-") : name}`,
        expected: "no value: a switch stands alone",
        fix: other ? `write ${name.replace("--", "--no-")} instead` : "remove it",
    };
}

function alone(
    text: string,
    after: Given | undefined,
): Pick<Finding, "problem" | "expected" | "fix"> {
    const why =
        after === undefined ? "no flag stands before it" : `${after.name} has its value already`;
    return {
        problem: `${show(text)} belongs to no flag: ${why}`,
        expected: "flags, each with its own values",
        fix: "the model is a key of the recipe; remove what belongs to nothing",
    };
}

function dashed(text: string, dash: string): Pick<Finding, "problem" | "expected" | "fix"> {
    return {
        problem: `${show(text)} begins with ${charName(dash)}`,
        expected: "flags that begin with plain hyphens",
        fix: `write ${show(text.replace(/^[\u2010-\u2015\u2212-]+/, "--"))}`,
    };
}

/** A word that belongs to no flag: the engine would take it for the model, or refuse it in the container. */
export const strayWords: Rule = ({ args, read }) =>
    read.stray.flatMap(({ word: { index, text = "" }, after }): Finding[] => {
        const joined = flagAndValue(index, text);
        if (joined !== undefined) return [joined];
        const [dash] = falseDash.exec(text) ?? [];
        if (dash !== undefined)
            return [{ code: "bad-value", at: argAt(index), ...dashed(text, dash) }];
        // Its value is no second problem.
        if (falseDash.test(args[index - 1] ?? "")) return [];
        const isSwitch = after?.flag?.kind === "switch" || after?.flag?.kind === "switch-no";
        const words =
            after !== undefined && isSwitch ? afterSwitch(text, after) : alone(text, after);
        return [{ code: "bad-value", at: argAt(index), ...words }];
    });
