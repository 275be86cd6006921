import { nearest } from "../../components/recipe/nearest";
import { recipeNotFound } from "../../components/recipe/notFound";
import { isSecretName, withoutSecrets } from "../../components/recipe/secrets";
import { shmBytes } from "../../components/recipe/shmBytes";
import { charName, show } from "../../components/recipe/show";
import { slugOf } from "../../components/recipe/slug";

test.each([
    ["32gb", 34359738368],
    ["32G", 34359738368],
    ["512m", 536870912],
    ["1kb", 1024],
    ["7b", 7],
    ["32", undefined],
    ["0gb", undefined],
    ["32 gb", undefined],
    ["32gib", undefined],
    ["9999999999999999gb", undefined],
])("size %s is %s bytes", (size, bytes) => {
    expect(shmBytes(size)).toBe(bytes);
});

test.each([
    ["recipes/dsv4-flash-vision/recipe.toml", "dsv4-flash-vision"],
    ["./recipes/Über Model (2x)/recipe.toml", "uber-model-2x"],
    ["/a/b/R40.toml", "r40"],
    ["C:\\recipes\\my_model\\recipe.toml", "my_model"],
    ["recipes/模型/recipe.toml", "recipe"],
    ["recipes/a/recipe.toml", "recipe-a"],
    ["recipe.toml", "recipe"],
    [`recipes/${"x".repeat(60)}-/recipe.toml`, "x".repeat(48)],
])("%s is called %s", (file, slug) => {
    expect(slugOf(file)).toBe(slug);
});

test.each([
    ["tensor_paralel_size", "tensor_parallel_size"],
    ["ENB", "env"],
    ["zzz", undefined],
    ["", undefined],
])("nearest to %s is %s", (name, best) => {
    expect(nearest(name, ["env", "args", "tensor_parallel_size"])).toBe(best);
});

test("a recipe that is not there is told with the nearest that is", () => {
    expect(
        recipeNotFound("recipes/dsv4-flash-visoin/recipe.toml", ["dsv4-flash-vision", "other"]),
    ).toEqual({
        code: "bad-config",
        severity: "error",
        path: "recipe",
        problem: 'no recipe "recipes/dsv4-flash-visoin/recipe.toml"',
        expected: "a folder of recipes/ (dsv4-flash-vision, other), or a path to a recipe",
        fix: "did you mean dsv4-flash-vision?",
    });
});

test.each([
    ["HF_TOKEN", true],
    ["--api-key", true],
    ["hf_token", true],
    ["OPENAI_API_KEY", true],
    ["S3_SECRET_ACCESS_KEY", true],
    ["--max-num-batched-tokens", false],
    ["HF_HUB_DISABLE_IMPLICIT_TOKEN", false],
    ["TOKENIZERS_PARALLELISM", false],
    ["--tokens-only", false],
    ["keyboard", false],
])("%s is a secret's name: %s", (name, secret) => {
    expect(isSecretName(name)).toBe(secret);
});

test.each([
    ['args = ["--api-key", "hunter2", "--seed", "1"]', 'args = ["--api-key", "…'],
    ['args = ["--api-key=hunter2"]', 'args = ["--api-key=…'],
    ["HF_TOKEN = 'hunter2'", "HF_TOKEN = '…"],
    ['x = "hf_abcdefghijklmnopqrst"', 'x = "…"'],
    ['x = "https://me:hunter2@host/"', 'x = "…host/"'],
    ["api_key = hunter2", "api_key = …"],
    ['"--max-num-batched-tokens", "8192"', '"--max-num-batched-tokens", "8192"'],
    ["x".repeat(3000), "…"],
])("%s is shown without secrets", (line, shown) => {
    expect(withoutSecrets(line)).toBe(shown);
});

test("values are shown on one line, visible and short", () => {
    expect(show('a\n"b"\u00a0\u200b')).toBe('"a\\n\\"b\\"\\u00a0\\u200b"');
    expect(show("x".repeat(100))).toBe(`"${"x".repeat(79)}…"`);
    expect(charName("\u2013")).toBe("U+2013 (en dash)");
    expect(charName("é")).toBe("U+00E9");
});
