import { engineVersion, spellings } from "../args/flagTable";
import { nearest } from "../nearest";
import { isManaged } from "./managedFlags";
import { argAt, isSecretFlag, type Rule } from "./rule";

/** Images carry forks of the engine with flags of their own, so these are no errors. */
export const unknownFlags: Rule = ({ read }) =>
    read.given.flatMap((given) => {
        const { flag, candidates, name, index, typed } = given;
        const isPlain = /^-[^\d.][\x21-\x7e]*$/.test(typed);
        if (flag !== undefined || candidates.length > 0 || name === "--" || !isPlain) return [];
        if (isManaged(given) || isSecretFlag(given)) return [];
        const best = nearest(name, [...spellings.keys()]);
        return [
            {
                code: "unknown-flag",
                severity: "warning",
                at: argAt(index),
                problem: `vLLM ${engineVersion} has no flag ${name}`,
                expected: "an image whose engine has it",
                ...(best === undefined ? {} : { fix: `did you mean ${best}?` }),
            },
        ];
    });
