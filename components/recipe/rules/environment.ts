import { engineVariables, engineVersion } from "../args/flagTable";
import type { Finding } from "../finding";
import { nearest } from "../nearest";
import { holdsSecret, isSecretName } from "../secrets";
import { show } from "../show";
import { managedReason } from "./managedVariables";
import type { Rule } from "./rule";

/** What no shell and no engine takes for a variable's name. */
export const variableNames: Rule = ({ env }) =>
    env.flatMap(([name]): Finding[] =>
        /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
            ? []
            : [
                  {
                      code: "bad-value",
                      at: ["env", name],
                      target: "key",
                      problem: `${show(name)} is no name of a variable`,
                      expected: "letters, digits and underscores, no digit in front",
                  },
              ],
    );

/** Variables that the program sets for each node, or that break the group. */
export const managedVariables: Rule = ({ env }) =>
    env.flatMap(([name, value]): Finding[] => {
        const reason = managedReason(name, value);
        return reason === undefined
            ? []
            : [{ code: "managed-env", at: ["env", name], target: "key", ...reason }];
    });

const secretHome = (name: string) =>
    name === "VLLM_API_KEY"
        ? "put a new one into the stack: pulumi config set --secret apiKey"
        : /^(?:HF|HUGGING_?FACE)/.test(name)
          ? "put a new one into the stack: pulumi config set --secret huggingFaceToken"
          : "remove it, and choose a new one: what was in a recipe is known";

/** A recipe is shared; its variables are seen by everyone who may look at a container. */
export const secretVariables: Rule = ({ env }) =>
    env.flatMap(([name, value]): Finding[] =>
        isSecretName(name) || (value !== undefined && holdsSecret(value))
            ? [
                  {
                      code: "secret-in-recipe",
                      at: ["env", name],
                      target: "key",
                      hides: [["env", name]],
                      problem: `${name} holds a secret (value not shown)`,
                      expected: "recipes without secrets",
                      fix: secretHome(name),
                  },
              ]
            : [],
    );

const unknown = (name: string) =>
    name.startsWith("VLLM_") && !engineVariables.has(name) && !isSecretName(name);

/** Near names only, since the engine's own are long and alike: one slip in eight letters. */
const slipOf = (name: string) =>
    nearest(name, [...engineVariables], Math.max(1, Math.floor(name.length / 8)));

/** The engine itself only warns of these, in a log that scrolls by; images with a fork have names of their own. */
export const unknownVariables: Rule = ({ env }) => {
    const names = env
        .map(([name, value]) => ({ name, managed: managedReason(name, value) !== undefined }))
        .filter(({ name, managed }) => !managed && unknown(name))
        .map(({ name }) => name);
    const slips = names.flatMap((name) => {
        const best = slipOf(name);
        return best === undefined ? [] : [{ name, best }];
    });
    const others = names.filter((name) => !slips.some((slip) => slip.name === name));
    const finding = (at: string, what: string): Finding => ({
        code: "unknown-flag",
        severity: "warning",
        at: ["env", at],
        target: "key",
        problem: `vLLM ${engineVersion} has no variable ${what}`,
        expected: "an image whose engine has it",
    });
    const [first] = others;
    return [
        ...slips.map(({ name, best }) => ({
            ...finding(name, name),
            fix: `did you mean ${best}?`,
        })),
        ...(first === undefined ? [] : [finding(first, others.join(", "))]),
    ];
};
