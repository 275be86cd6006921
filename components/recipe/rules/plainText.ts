import type { Finding, Path } from "../finding";
import { holdsSecret } from "../secrets";
import { charName } from "../show";
import type { Rule } from "./rule";

/** No operating system passes a NUL in an argument or a variable. */
export const noNul: Rule = ({ args, env, fields }) => {
    const texts: readonly (readonly [Path, unknown])[] = [
        ...Object.entries(fields).map(([key, value]) => [[key], value] as const),
        ...args.map((text, i) => [["args", i], text] as const),
        ...env.map(([name, value]) => [["env", name], value] as const),
    ];
    return texts.flatMap(([at, text]): Finding[] =>
        typeof text === "string" && text.includes("\0")
            ? [
                  {
                      code: "bad-value",
                      at,
                      problem: `the text holds ${charName("\0")}`,
                      expected: "text that a program can be given",
                      fix: "remove it",
                  },
              ]
            : [],
    );
};

/** A title or a name may hold anything but a secret. */
export const secretFields: Rule = ({ fields }) =>
    Object.entries(fields).flatMap(([key, value]): Finding[] =>
        typeof value === "string" && holdsSecret(value)
            ? [
                  {
                      code: "secret-in-recipe",
                      at: [key],
                      hides: [[key]],
                      problem: `${key} holds a secret (value not shown)`,
                      expected: "recipes without secrets",
                      fix: "remove it, and choose a new one: what was in a recipe is known",
                  },
              ]
            : [],
    );
