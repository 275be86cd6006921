import * as fs from "node:fs";
import * as path from "node:path";

import { parse } from "smol-toml";

import { imageSource } from "../../components/image";

import { inImage, project, removeProjects } from "./contextFixture";

afterEach(removeProjects);

const root = path.dirname(path.dirname(__dirname));
const images = path.join(root, "docker-images");
const names = fs
    .readdirSync(images)
    .filter((name) => fs.existsSync(path.join(images, name, "Dockerfile")));
const read = (...parts: readonly string[]): string =>
    fs.readFileSync(path.join(images, ...parts), "utf8");

test.each(names)("docker-images/%s is pinned, and labelled with its digest", (name) => {
    const { args, digest } = imageSource(root, name);
    expect(args).toEqual({ SPARK_VLLM_CONTEXT: digest });
    expect(read(name, "Dockerfile")).toContain('spark-vllm.context="${SPARK_VLLM_CONTEXT}"');
});

/** Every file that a build of the image runs, with continued lines joined. */
function buildText(name: string): string {
    const build = path.join(images, name, "build");
    const scripts = fs.existsSync(build) ? fs.readdirSync(build) : [];
    const texts = [read(name, "Dockerfile"), ...scripts.map((file) => read(name, "build", file))];
    return texts.join("\n").replaceAll(/\\\n/g, " ");
}

test.each(names)("docker-images/%s installs nothing that could differ between nodes", (name) => {
    const lines = buildText(name).split("\n");
    const installs = lines.filter((line) => /\bpip3? (install|wheel|download)\b/.test(line));
    for (const line of installs) {
        expect(line).toMatch(/--no-deps/);
        expect(line).toMatch(/--require-hashes|--no-index/);
    }
    const unpinned = /\b(apt-get|apt|apk|dnf) .*\b(install|add)\b|\b(curl|wget|git clone)\b/;
    expect(lines.filter((line) => unpinned.test(line))).toEqual([]);
});

test("the vision image has its installs where the rule above looks for them", () => {
    expect(buildText("dsv4-flash-vision").match(/\bpip (install|wheel)\b/g)).toHaveLength(3);
});

test.each([
    ["UPSTREAM.md", true],
    ["smoke.toml", true],
    ["new-note.txt", true],
    ["build/plugin.sha256", false],
    ["build/new.sh", false],
])("a change of the vision image's %s rebuilds nothing: %s", (file, same) => {
    const copy = project({});
    fs.cpSync(path.join(images, "dsv4-flash-vision"), inImage(copy, ""), { recursive: true });
    const before = imageSource(copy, "engine").digest;
    fs.appendFileSync(inImage(copy, file), "# changed\n");
    expect(imageSource(copy, "engine").digest === before).toBe(same);
});

const recipe = fs.readFileSync(path.join(root, "recipes/dsv4-flash-vision/recipe.toml"), "utf8");

test("the bases are the two that the recipe names", () => {
    const [, base = "", comparison = ""] =
        /digest (sha256:\w{64})[^]*\((sha256:\w{64})\)/.exec(recipe) ?? [];
    expect(read("dsv4-flash-vision", "Dockerfile")).toContain(
        `ARG BASE=eugr/spark-vllm-b12x@${base}\n`,
    );
    const other = `aidendle94/sparkrun-vllm-ds4-gb10:production-3.76.1@${comparison}`;
    expect(read("dsv4-flash-vision", "UPSTREAM.md")).toContain(other);
    const withOther = imageSource(root, "dsv4-flash-vision", { base: other });
    expect(withOther.args["BASE"]).toBe(other);
});

test("the settings of the image are none that the recipe makes", () => {
    const env = parse(recipe)["env"] as Record<string, string>;
    const [, settings = ""] =
        /^ENV ([^]*?[^\\])\n/m.exec(read("dsv4-flash-vision", "Dockerfile")) ?? [];
    const own = [...settings.matchAll(/(\w+)=/g)].map(([, name = ""]) => name);
    expect(own).toHaveLength(6);
    expect(own.filter((name) => name in env)).toEqual([]);
});

test("smoke.toml says what the recipe says of images and of a healthy boot", () => {
    const smoke = parse(read("dsv4-flash-vision", "smoke.toml"));
    expect(smoke).toEqual({
        vision: { placeholder: "<｜deepseek_image｜>", max_tokens_per_image: 384 },
        boot: { weights_gib: 84, kv_cache_tokens: 1250741, seconds: 530, tolerance: 0.05 },
    });
    expect(recipe).toContain("<｜deepseek_image｜> placeholder (cap 384 tokens per image)");
    expect(recipe).toContain("~84 GiB/node");
    expect(recipe).toContain("≈ 1.25M tokens");
});
