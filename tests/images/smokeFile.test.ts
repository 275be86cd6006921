import { imageSource } from "../../components/image";
import { parseSmoke } from "../../components/image/smokeFile";
import { renderIssues } from "../../components/issue";
import { dockerfile, issuesOf, project, removeProjects } from "./contextFixture";

afterEach(removeProjects);

const file = "docker-images/engine/smoke.toml";

test("all keys", () => {
    const text = [
        "[vision]",
        'placeholder = "<image>"',
        "max_tokens_per_image = 384",
        "[boot]",
        "weights_gib = 84",
        "kv_cache_tokens = 1_250_741",
        "seconds = 530.5",
        "tolerance = 0.05",
    ].join("\n");
    expect(parseSmoke(text, file)).toEqual({
        vision: { placeholder: "<image>", maxTokensPerImage: 384 },
        boot: { weightsGib: 84, kvCacheTokens: 1_250_741, bootSeconds: 530.5, tolerance: 0.05 },
    });
});

test.each([
    ["", {}],
    ["[boot]\n", { boot: { tolerance: 0.1 } }],
    ["[boot]\nseconds = 6\n", { boot: { bootSeconds: 6, tolerance: 0.1 } }],
])("%j: what is not given is absent", (text, expected) => {
    expect(parseSmoke(text, file)).toEqual(expected);
});

test("every problem at once, each with its line", () => {
    const text = [
        "[vison]",
        "x = 1",
        "[vision]",
        'placeholder = ""',
        "[boot]",
        "weigths_gib = 84",
        "seconds = 0",
        "kv_cache_tokens = 1.5",
        "tolerance = 2",
    ].join("\n");
    expect(renderIssues(issuesOf(() => parseSmoke(text, file)))).toBe(
        [
            `${file}:1:2  vison: unknown key`,
            "    1 | [vison]",
            "      |  ^",
            "    expected one of vision, boot; did you mean vision?",
            `${file}:3:2  vision.max_tokens_per_image: missing`,
            "    3 | [vision]",
            "      |  ^",
            "    expected a whole number of tokens from 1",
            `${file}:4:15  vision.placeholder: is not what it must be`,
            '    4 | placeholder = ""',
            "      |               ^",
            '    expected text that stands for an image in the prompt, e.g. "<image>"',
            `${file}:6:1  boot.weigths_gib: unknown key`,
            "    6 | weigths_gib = 84",
            "      | ^",
            "    expected one of weights_gib, kv_cache_tokens, seconds, tolerance; did you mean weights_gib?",
            `${file}:7:11  boot.seconds: is not what it must be`,
            "    7 | seconds = 0",
            "      |           ^",
            "    expected a number of seconds above 0",
            `${file}:8:19  boot.kv_cache_tokens: is not what it must be`,
            "    8 | kv_cache_tokens = …", // hidden, as what is called a token may be a secret,
            "      |                   ^",
            "    expected a whole number of tokens from 1",
            `${file}:9:13  boot.tolerance: is not what it must be`,
            "    9 | tolerance = 2",
            "      |             ^",
            "    expected a part from 0 to 1, e.g. 0.05",
            "7 problems. Nothing was changed.",
        ].join("\n"),
    );
});

test("a text that is no TOML", () => {
    expect(issuesOf(() => parseSmoke("[boot\n", file))).toMatchObject([
        { code: "toml-syntax", file, line: 1 },
    ]);
});

test("a change of smoke.toml is no change of the image", () => {
    const files = { Dockerfile: dockerfile, ".dockerignore": "smoke.toml\n" };
    const seconds = (count: number) =>
        imageSource(
            project({ ...files, "smoke.toml": `[boot]\nseconds = ${String(count)}\n` }),
            "engine",
        );
    expect(seconds(1).smoke).toEqual({ boot: { bootSeconds: 1, tolerance: 0.1 } });
    expect(seconds(2).digest).toBe(seconds(1).digest);
});

test("a smoke.toml that Docker would be sent is refused", () => {
    const root = project({ Dockerfile: dockerfile, "smoke.toml": "" });
    expect(issuesOf(() => imageSource(root, "engine"))).toMatchObject([
        { code: "image", file, fix: expect.stringContaining(".dockerignore") as string },
    ]);
});
