import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import * as fc from "fast-check";
import { stringify } from "smol-toml";
import { RecipeError, renderIssues } from "../../components/issue";
import { parseRecipe, type Recipe } from "../../components/recipe";
import { spellings } from "../../components/recipe/args/flagTable";
import { topKeys } from "../../components/recipe/schema/schema";
import { fixtures, outcome, recipesOf } from "./recipeFixture";

// scripts/fuzz-recipes asks for many more every night.
const runs = Number(process.env["FUZZ_RUNS"] ?? 1000);
const seed = readFileSync(path.join(fixtures, "valid/seed.toml"), "utf8");
jest.setTimeout(Math.max(60_000, runs * 20));

/** What every text must give: a recipe, or issues that a person can read. */
function isCivil(text: string): void {
    const { issues } = outcome(text);
    const shown = renderIssues(issues);
    expect(shown).not.toMatch(/\n\s+at |\[object |undefined|native code/);
    for (const { line, column } of issues) {
        if (line !== undefined) expect(column).toBeGreaterThan(0);
    }
}

const lines = seed.split("\n");
const words = fc.constantFrom(
    ...spellings.keys(),
    ...topKeys,
    "env",
    "constructor",
    "__proto__",
    "true",
    "1",
    "''",
    "{",
    "'{}'",
    "-1",
    "~",
    "..",
);

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    any: fc.oneof(
        { depthSize: "small" },
        fc.string(),
        words,
        fc.integer(),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie("any"), { maxLength: 5 }),
        fc.dictionary(fc.oneof(words, fc.string()), tie("any"), { maxKeys: 4 }),
    ),
})).any;

const table = fc.dictionary(
    fc.oneof({ weight: 4, arbitrary: words }, { weight: 1, arbitrary: fc.string() }),
    value,
    { maxKeys: 12 },
);

test("random tables of known and unknown keys are told, not tripped over", () => {
    fc.assert(
        fc.property(table, (data) => {
            isCivil(stringify(data));
        }),
        { numRuns: runs },
    );
});

test("random arguments are read without an exception", () => {
    const args = fc.array(fc.oneof(words, fc.string(), value), { maxLength: 12 });
    fc.assert(
        fc.property(args, (list) => {
            isCivil(stringify({ ...base, args: list }));
        }),
        { numRuns: runs },
    );
});

test("random bytes are told, not tripped over", () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((data) => new TextDecoder().decode(data));
    fc.assert(
        fc.property(fc.oneof(bytes, fc.string({ unit: "binary", maxLength: 200 })), isCivil),
        { numRuns: runs },
    );
});

test("the seed with lines lost, doubled, swapped or broken is told, not tripped over", () => {
    const edit = fc.record({
        at: fc.nat(lines.length - 1),
        to: fc.nat(lines.length - 1),
        cut: fc.nat(40),
        what: fc.constantFrom("lose", "double", "swap", "break", "insert"),
        text: fc.oneof(words, fc.string({ maxLength: 10 })),
    });
    const edited = fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) =>
        edits
            .reduce((list, { at, to, cut, what, text }) => {
                const line = list[at] ?? "";
                const instead = {
                    lose: [],
                    double: [line, line],
                    swap: [list[to] ?? ""],
                    break: [line.slice(0, cut)],
                    insert: [line.slice(0, cut) + text + line.slice(cut)],
                }[what];
                return list.toSpliced(at, 1, ...instead);
            }, lines)
            .join("\n"),
    );
    fc.assert(fc.property(edited, isCivil), { numRuns: Math.ceil(runs / 4) });
});

const text = fc.string({
    unit: fc.constantFrom(..."ab{}[]$`'\"\\#%=,: é\n\t()~*?!&|;<>".split("")),
    maxLength: 30,
});

const base = {
    engine: "vllm",
    name: "t",
    docker_image: "i:l",
    model: "o/m",
    required_nodes: 1,
    tensor_parallel_size: 1,
};

test("the engine gets every character of a value", () => {
    fc.assert(
        fc.property(text, text, (argument, variable) => {
            fc.pre(!argument.startsWith("-"));
            const recipe = outcome(
                stringify({ ...base, args: ["--chat-template", argument], env: { A: variable } }),
            ).recipe!;
            expect(recipe.args).toEqual(["--chat-template", argument]);
            expect(recipe.env).toEqual({ A: variable });
        }),
        { numRuns: runs },
    );
});

test("JSON arrives as written, with and without shell quotes", () => {
    fc.assert(
        fc.property(
            fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 }),
            fc.boolean(),
            (data, quoted) => {
                const plain = JSON.stringify(data);
                const word = quoted ? `\n'${plain}'` : plain;
                const { recipe, issues } = outcome(
                    stringify({
                        ...base,
                        args: ["--additional-config", word, "--override-generation-config", word],
                    }),
                );
                if (issues.some(({ code }) => code === "secret-in-recipe")) return;
                expect(recipe!.args).toEqual([
                    "--additional-config",
                    plain,
                    "--override-generation-config",
                    plain,
                ]);
            },
        ),
        { numRuns: runs },
    );
});

test("one text gives one recipe, whatever the line ends", () => {
    const all = ["valid", "cases"].flatMap((folder) => recipesOf(folder));
    const data = (recipe: Recipe | undefined) => JSON.stringify(recipe);
    fc.assert(
        fc.property(fc.constantFrom(...all), ([, plain]) => {
            const once = data(outcome(plain).recipe);
            expect(data(outcome(plain).recipe)).toBe(once);
            expect(data(outcome(`\uFEFF${plain.replace(/\r?\n/g, "\r\n")}`).recipe)).toBe(once);
        }),
        { numRuns: Math.min(runs, 1000) },
    );
});

// The public suite of TOML files, when scripts/fuzz-recipes has it: other people's recipes of trouble.
const suite = process.env["TOML_SUITE"];
if (suite !== undefined) {
    test("every file of the public TOML suite is told, not tripped over", () => {
        const files = readdirSync(suite, { recursive: true, encoding: "utf8" }).filter((file) =>
            file.endsWith(".toml"),
        );
        expect(files.length).toBeGreaterThan(500);
        for (const file of files) {
            const content = readFileSync(path.join(suite, file), "utf8");
            isCivil(content);
            expect(() => parseRecipe(content, file)).toThrow(RecipeError);
        }
    });
}
