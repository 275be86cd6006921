import { readFileSync } from "node:fs";
import * as path from "node:path";
import { parseRecipe } from "../../components/recipe";
import { fixtures, outcome, recipe, recipesOf } from "./recipeFixture";

const valid = new Map(recipesOf("valid"));
const seed = readFileSync(
    path.join(__dirname, "../../recipes/dsv4-flash-vision/recipe.toml"),
    "utf8",
);
const seedFile = "recipes/dsv4-flash-vision/recipe.toml";

test("the seed as data, JSON plain, the rest untouched and in order", () => {
    const { warnings, ...data } = parseRecipe(seed, seedFile);
    const golden = readFileSync(path.join(fixtures, "valid/seed.json"), "utf8");
    expect(data).toEqual(JSON.parse(golden));
    expect(warnings.map(({ code, line }) => [code, line])).toEqual([
        ["unpinned-model", 43],
        ["ineffective", 48],
        ["unknown-flag", 67],
        ["unknown-flag", 94],
    ]);
});

test("a byte order mark and CRLF make no difference", () => {
    const plain = parseRecipe(seed, seedFile);
    expect(parseRecipe(`\uFEFF${seed}`, seedFile)).toEqual(plain);
    expect(parseRecipe(seed.replaceAll("\n", "\r\n"), seedFile)).toEqual(plain);
    expect(parseRecipe(`\uFEFF${seed.replaceAll("\n", "\r\n")}`, seedFile)).toEqual(plain);
});

test("JSON in shell quotes equals JSON in a literal string", () => {
    const [quoted, literal] = ["json-quoted", "json-literal"].map((name) =>
        parseRecipe(valid.get(name)!, "r.toml"),
    );
    expect(quoted).toEqual(literal);
    expect(literal!.args).toEqual([
        "--speculative-config",
        '{"method":"dspark","num_speculative_tokens":6}',
    ]);
});

test("nothing in a value is expanded or changed", () => {
    const { args, env } = parseRecipe(valid.get("untouched")!, "r.toml");
    expect(args).toEqual([
        "--chat-template",
        "{{ x }} {$HOME} $(id) `id` %s # é \\ \" 'q'",
        "--served-model-name",
        "'m'",
        "é",
        "$HOME",
        "{a}",
        "--default-chat-template-kwargs",
        '{"a":"it is $HOME \\"é\\" # {{x}}"}',
        '--override-generation-config={"temperature": 0.5}',
        "--reasoning-parser",
        "",
        "--root-path",
        " a  b ",
    ]);
    expect(env).toEqual({ A: "$HOME `id` {{x}} # é 'q' \"d\" %s \\", EMPTY: "" });
});

test("defaults", () => {
    const { warnings: _, ...data } = parseRecipe(valid.get("minimal")!, "recipes/min/recipe.toml");
    expect(data).toEqual({
        file: "recipes/min/recipe.toml",
        slug: "min",
        engine: "vllm",
        name: "t",
        dockerImage: "img:local",
        model: "org/m",
        modelRevision: "0123456789abcdef0123456789abcdef01234567",
        servedModelName: "org/m",
        requiredNodes: 2,
        tensorParallelSize: 2,
        pipelineParallelSize: 1,
        distributedBackend: "mp",
        args: [],
        env: {},
        mounts: [],
    });
});

test.each([
    ['"--served-model-name", "a", "b"', "a"],
    ['"--served_model_name=a"', "a"],
    ['"--served-model", "a"', "a"],
    ["", "org/m"],
])("served name of [%s] is %s", (args, name) => {
    expect(parseRecipe(recipe({ args }), "r.toml").servedModelName).toBe(name);
});

test("paths of mounts are as Docker would make them", () => {
    const rest = `[[extra_mounts]]
host = "~//a/./b/"
container = "/c//d/."
[[extra_mounts]]
host = "~"
container = "/home"
read_only = true`;
    expect(parseRecipe(recipe({ rest }), "r.toml").mounts).toEqual([
        { host: "~/a/b", container: "/c/d", readOnly: false },
        { host: "~", container: "/home", readOnly: true },
    ]);
});

test("a name of a prototype is a variable like any other", () => {
    const { recipe: found } = outcome(
        recipe({ rest: '[env]\n__proto__ = "1"\nconstructor = "2"\n' }),
    );
    expect(Object.entries(found!.env)).toEqual([
        ["__proto__", "1"],
        ["constructor", "2"],
    ]);
});
