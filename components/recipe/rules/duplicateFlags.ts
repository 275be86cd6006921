import type { Given } from "../args/readArgs";
import type { Finding } from "../finding";
import { show } from "../show";
import { isManaged } from "./managedFlags";
import { argAt, isSecretFlag, spelled, type Rule } from "./rule";

/** Flags that the engine collects instead of taking the last. */
const repeatable = ["--middleware"];

function shownValue(given: Given): string {
    if (given.values.length === 0) return given.off ? "off" : "on";
    return given.values.map(({ text }) => show(text ?? "?")).join(" ");
}

/** Whether both say something of the same thing: a flag and a dotted part of it do. */
function overlap(a: Given, b: Given): boolean {
    if (a.name !== b.name) return false;
    const [first, second] = [a.keys.join("."), b.keys.join(".")];
    if (first === "" || second === "") return true;
    return first === second && !first.endsWith("+");
}

/** Of a flag given twice the engine silently takes the last. */
export const duplicateFlags: Rule = ({ read }) => {
    const given = read.given.filter(
        (each) =>
            each.candidates.length === 0 &&
            !repeatable.includes(each.name) &&
            !isManaged(each) &&
            !isSecretFlag(each),
    );
    return given.flatMap((second, i): Finding[] => {
        const first = given.slice(0, i).find((each) => overlap(each, second));
        if (first === undefined) return [];
        const as = second.typed === first.typed ? "" : ` (as ${first.typed} and ${second.typed})`;
        return [
            {
                code: "conflict",
                at: argAt(second.index),
                problem: (lineOf) =>
                    `${spelled(second)} is given twice${as}: ${shownValue(first)} (${lineOf(argAt(first.index))}) and ${shownValue(second)} here`,
                expected: "each flag once",
                fix: "remove one of them: the engine would silently take the last",
            },
        ];
    });
};
