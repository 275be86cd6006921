import type { Draft } from "../../components/recipe/draft";
import { pathText } from "../../components/recipe/finding";
import { readDraft } from "../../components/recipe/readDraft";
import type { Rule } from "../../components/recipe/rules/rule";
import { plainNumbers } from "../../components/recipe/toml/plainNumbers";
import { readToml } from "../../components/recipe/toml/readToml";
import { recipe } from "./recipeFixture";

/** Parts of a small recipe. */
export interface Parts {
    readonly args?: string;
    readonly top?: string;
    readonly rest?: string;
}

/** What the rules see of a small recipe. */
export function draftOf(parts: Parts): Draft {
    const reading = readToml(recipe(parts), "r.toml");
    if ("issues" in reading) throw new Error(reading.issues[0].problem);
    return readDraft(plainNumbers(reading.table) as Record<string, unknown>);
}

/** `code path` of what one rule alone finds. */
function found(rule: Rule, parts: Parts): readonly string[] {
    return rule(draftOf(parts)).map(({ code, at: path }) => `${code} ${pathText(path)}`);
}

/** A recipe with an environment. */
export const env = (...lines: string[]): Parts => ({ rest: `[env]\n${lines.join("\n")}` });
/** A recipe with mounts. */
export const mount = (...all: string[]): Parts => ({
    top: `extra_mounts = [${all.map((inner) => `{ ${inner} }`).join(", ")}]`,
});
/** The keys of a mount. */
export const at = (host: string, container: string, more = "") =>
    `host = "${host}", container = "${container}"${more}`;

/** A recipe and what one rule says of it. */
export type Row = readonly [name: string, parts: Parts, expected: readonly string[]];

/** Tests of one rule by itself. */
export function table(rule: Rule, name: string, rows: readonly Row[]): void {
    describe(name, () => {
        test.each(rows)("%s", (_, parts, expected) => {
            expect(found(rule, parts)).toEqual(expected);
        });
    });
}
