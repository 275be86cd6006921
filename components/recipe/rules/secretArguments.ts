import { findFlag } from "../args/findFlag";
import type { Given } from "../args/readArgs";
import type { Finding } from "../finding";
import { holdsSecret, isSecretName } from "../secrets";
import { argAt, isSecretFlag, secretKey, spelled, type Rule } from "./rule";

const inStack = (key: string) => `pulumi config set --secret ${key}`;

/** Whether JSON holds a text under a name like api_key. */
function hasSecretKey(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(
        ([key, inner]) =>
            (secretKey.test(key) && typeof inner === "string" && inner !== "") ||
            hasSecretKey(inner),
    );
}

function isSecretJson(text: string): boolean {
    try {
        return hasSecretKey(JSON.parse(text) as unknown);
    } catch {
        return false;
    }
}

const finding = (index: number, hides: readonly number[], what: string, fix: string): Finding => ({
    code: "secret-in-recipe",
    at: argAt(index),
    hides: hides.map(argAt),
    problem: `${what} (value not shown)`,
    expected:
        "recipes without secrets: they are shared, and arguments are seen by everyone on the node",
    fix,
});

function ofFlag(given: Given): readonly Finding[] {
    if (!isSecretFlag(given) || given.values.length === 0) return [];
    const key =
        given.name === "--api-key"
            ? "apiKey"
            : given.name === "--hf-token"
              ? "huggingFaceToken"
              : undefined;
    const fix =
        key === undefined
            ? "remove it, and choose a new one: what was in a recipe is known"
            : `remove it, choose a new one and put that into the stack: ${inStack(key)}`;
    const places = given.values.map(({ index }) => index);
    return [finding(given.index, places, `${spelled(given)} holds a secret`, fix)];
}

/** A secret flag and its value in one item, as `--api-key …`. */
function isSecretItem(text: string): boolean {
    const flag = /^-\S+(?=\s+\S)/.exec(text)?.[0];
    const found = flag === undefined ? undefined : findFlag(flag);
    if (found?.kind === "flag") return ["--api-key", "--hf-token"].includes(found.flag.name);
    return found?.kind === "unknown" && isSecretName(found.name);
}

/** Secrets in arguments are seen in the recipe, in the plan and in every process list. */
export const secretArguments: Rule = ({ args, read }) => {
    const byFlag = read.given.flatMap(ofFlag);
    const known = read.given
        .filter(isSecretFlag)
        .flatMap(({ index, values }) => [index, ...values.map((word) => word.index)]);
    const byForm = args.flatMap((text, index) =>
        text !== undefined &&
        !known.includes(index) &&
        (holdsSecret(text) || isSecretJson(text) || isSecretItem(text))
            ? [
                  finding(
                      index,
                      [index],
                      "this argument holds a secret",
                      "remove it, and choose a new one: what was in a recipe is known",
                  ),
              ]
            : [],
    );
    return [...byFlag, ...byForm];
};
