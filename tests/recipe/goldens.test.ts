import { readFileSync } from "node:fs";
import * as path from "node:path";
import { errorsOf, expectGolden, fixtures, outcome, page, recipesOf } from "./recipeFixture";

interface Case {
    readonly id: string;
    readonly title: string;
    readonly outcome: "accepted" | "rejected";
    readonly codes: readonly string[];
    readonly lines: readonly number[];
}

const expected = JSON.parse(
    readFileSync(path.join(fixtures, "cases/expected.json"), "utf8"),
) as readonly Case[];
const texts = new Map(recipesOf("cases"));
const unique = <T>(values: readonly T[]) => [...new Set(values)].toSorted();

describe("cases", () => {
    test("every case has its expectation", () => {
        expect(expected.map(({ id }) => id)).toEqual([...texts.keys()]);
    });

    test.each(expected)("$id $title", ({ id, outcome: result, codes, lines }) => {
        const { recipe, issues } = outcome(texts.get(id)!, `${id}.toml`);
        const errors = issues.filter(({ severity }) => severity === "error");
        expect(recipe === undefined ? "rejected" : "accepted").toBe(result);
        expect(unique(errors.map(({ code }) => code))).toEqual(unique(codes));
        expect(unique(errors.flatMap(({ line }) => line ?? []))).toEqual(unique(lines));
    });
});

describe.each(["cases", "reports", "invalid", "valid"])("messages of %s", (folder) => {
    test.each(recipesOf(folder))("%s", (name, text) => {
        expectGolden(`${folder}/${name}.txt`, page(text, `${name}.toml`));
    });
});

test.each(recipesOf("valid"))("valid: %s", (_, text) => {
    expect(errorsOf(text)).toEqual([]);
});

test.each(recipesOf("invalid"))("invalid: %s", (_, text) => {
    expect(errorsOf(text)).not.toEqual([]);
});

test.each(["cases", "reports", "invalid"].flatMap((folder) => recipesOf(folder)))(
    "%s: every error but an absence has a line and a column, in line order",
    (_, text) => {
        const placed = outcome(text).issues.filter(
            ({ code, line }) => code !== "missing-key" || line,
        );
        expect(placed.filter(({ line, column }) => !line || !column)).toEqual([]);
        const lines = placed.map(({ line = 0 }) => line);
        expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    },
);
