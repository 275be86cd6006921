import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import type { Path } from "../../components/recipe/finding";
import { findPlaces, type Span } from "../../components/recipe/toml/places";
import { normalise, readToml } from "../../components/recipe/toml/readToml";
import { parserPlaces } from "./parserPlaces";
import { recipesOf } from "./recipeFixture";

/** Every key and value of a text stands where a full parser finds it. */
function expectSamePlaces(text: string): void {
    const places = findPlaces(text);
    const { keys, values } = parserPlaces(text);
    const ours = (ids: Map<string, Span>, find: (at: Path) => Span | undefined) =>
        new Map([...ids.keys()].map((id) => [id, find(JSON.parse(id) as Path)]));
    expect(ours(values, places.value)).toEqual(values);
    expect(ours(keys, places.key)).toEqual(keys);
}

const texts = ["cases", "reports", "invalid", "valid"]
    .flatMap((folder) => recipesOf(folder))
    .map(([name, text]) => [name, normalise(text)] as const)
    .filter(([, text]) => "table" in readToml(text, "r.toml"));

test.each(texts)("%s", (_, text) => {
    expectSamePlaces(text);
});

test.each([
    ["dotted and quoted keys", 'a."b.c".\'d\' = 1\n"\\u00e9" = [1, {x.y = "z", "q" = []}]\n'],
    ["quotes at the end of a text", 'a = """x"""""\nb = \'\'\'y\'\'\'\'\nc = """""" # "\nd = 1\n'],
    [
        "escapes and comments",
        'a = "\\"#" # x = 1\nb = """\n\\"""\n\\\\"""\nc = [ # ]\n 1, # ,\n]\n',
    ],
    [
        "tables in tables",
        "[[a]]\nx = 1\n[[a.b]]\ny = 1\n[[a.b]]\ny = 2\n[a.c]\nz = 1\n[[a]]\n[[a.b]]\ny = 3\n",
    ],
    ["no line end", "a = 2026-01-01 00:00:00 # date"],
])("%s", (_, text) => {
    expectSamePlaces(text);
});

const suite = process.env["TOML_SUITE"];
if (suite !== undefined) {
    test("the public TOML suite", () => {
        const folder = path.join(suite, "valid");
        const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
        for (const file of files.filter((name) => name.endsWith(".toml"))) {
            const text = normalise(readFileSync(path.join(folder, file), "utf8"));
            expectSamePlaces(text);
        }
    });
}
