import * as fs from "node:fs";

import { imageSource } from "../../components/image";

import { base, dockerfile, inImage, issuesOf, project, removeProjects } from "./contextFixture";

afterEach(removeProjects);

const issuesFor = (text: string, options = {}): ReturnType<typeof issuesOf> =>
    issuesOf(() => imageSource(project({ Dockerfile: text }), "engine", options));

test.each([
    ["engin", "did you mean engine?"],
    ["something-else", "name one of these, or make a folder with a Dockerfile"],
    ["../engine", "name one of these, or make a folder with a Dockerfile"],
    ["", "name one of these, or make a folder with a Dockerfile"],
])("folder %j is not there", (dir, fix) => {
    const root = project({ Dockerfile: dockerfile });
    const namedIn = { file: "recipes/a/recipe.toml", path: "docker_image_dir" };
    expect(issuesOf(() => imageSource(root, dir, { namedIn }))).toEqual([
        {
            code: "image",
            severity: "error",
            file: "recipes/a/recipe.toml",
            path: "docker_image_dir",
            problem: `${JSON.stringify(dir)} is no folder under docker-images/`,
            expected: "one of engine",
            fix,
        },
    ]);
});

test("no docker-images folder at all", () => {
    expect(issuesOf(() => imageSource("/nonexistent", "engine"))).toMatchObject([
        { path: "docker_image_dir", expected: expect.stringContaining("there is none") as string },
    ]);
});

test("a folder without Dockerfile", () => {
    expect(issuesOf(() => imageSource(project({ "README.md": "" }), "engine"))).toMatchObject([
        {
            code: "image",
            file: "docker-images/engine/Dockerfile",
            problem: "there is no such file",
        },
    ]);
});

test.each([
    ["a tag alone", "FROM example/engine:latest\n", 1, "FROM", "example/engine:latest"],
    ["an argument's default", "# base\nARG BASE=engine:1\nFROM ${BASE}\n", 2, "BASE", "engine:1"],
    ["a default within the FROM", "FROM ${BASE:-engine:2}\n", 1, "BASE", "engine:2"],
    ["a short digest", "FROM engine@sha256:abc\n", 1, "FROM", "engine@sha256:abc"],
    ["another platform's", "FROM --platform=linux/arm64 engine AS x\n", 1, "FROM", "engine"],
    ["COPY --from", `FROM ${base}\nCOPY --from=tools:1 a b\n`, 2, "FROM", "tools:1"],
    [
        "a mount",
        `FROM ${base}\nRUN --mount=type=bind,from=tools:2,target=/t \\\n  true\n`,
        2,
        "FROM",
        "tools:2",
    ],
])("an image without digest is refused: %s", (_, text, line, path, reference) => {
    expect(issuesFor(text)).toEqual([
        {
            code: "image",
            severity: "error",
            file: "docker-images/engine/Dockerfile",
            line,
            path,
            problem: `${reference} has no digest: its content can change, and differ between nodes`,
            expected: "<image>@sha256:<64 hex digits>",
            fix:
                `\`docker buildx imagetools inspect ${reference}\` shows the digest; a base that only ` +
                "this machine has: say why in a comment above, `# unpinned base: <reason>`; " +
                "image.allowUnpinnedBase: true in the stack builds without one",
        },
    ]);
});

test.each([
    ["a digest", `FROM ${base}\n`],
    ["an argument", dockerfile],
    [
        "an argument of an argument",
        `ARG D=sha256:${"3".repeat(64)}\nARG BASE="a@\${D}"\nFROM $BASE\n`,
    ],
    ["nothing", "FROM scratch\n"],
    ["a stage", `FROM ${base} AS Build\nFROM build\nCOPY --from=0 a b\nCOPY --from=Build a b\n`],
    ["a mounted stage", `FROM ${base} AS b\nFROM ${base}\nRUN --mount=from=b,target=/b true\n`],
    ["text in a here-document", `FROM ${base}\nRUN <<EOF\nFROM other\nEOF\n`],
    ["text in a continued line", `FROM ${base}\nRUN echo \\\n# note\n\n  FROM other\n`],
    ["a reason above the argument", "# unpinned base: made here\nARG BASE=local:1\nFROM ${BASE}\n"],
    ["a reason above FROM", "# Note.\n# unpinned base: made here\nFROM local:1\n"],
    ["CRLF line ends", dockerfile.replaceAll("\n", "\r\n")],
])("accepted: %s", (_, text) => {
    expect(imageSource(project({ Dockerfile: text }), "engine").context).toBe(
        "docker-images/engine",
    );
});

test.each([
    ["no reason", "# unpinned base:\nFROM local:1\n"],
    ["a blank line between", "# unpinned base: made here\n\nFROM local:1\n"],
    ["above another", "# unpinned base: made here\nFROM local:1 AS a\nFROM local:2\n"],
])("a reason does not count: %s", (_, text) => {
    expect(issuesFor(text)).toHaveLength(1);
});

test("the stack's base needs a digest, whatever the Dockerfile excuses", () => {
    const text = "# unpinned base: made here\nARG BASE=local:1\nFROM ${BASE}\n";
    expect(issuesFor(text, { base: "other:1", configFile: "Pulumi.spark.yaml" })).toEqual([
        {
            code: "image",
            severity: "error",
            file: "Pulumi.spark.yaml",
            path: "image.base",
            problem: "other:1 has no digest: its content can change, and differ between nodes",
            expected: "<image>@sha256:<64 hex digits>",
            fix:
                "`docker buildx imagetools inspect other:1` shows the digest; " +
                "image.allowUnpinnedBase: true in the stack builds without one",
        },
    ]);
});

test("unless it is allowed in so many words", () => {
    const root = project({ Dockerfile: dockerfile });
    const options = { base: "other:1", unpinnedBase: true };
    expect(imageSource(root, "engine", options).args).toEqual({ BASE: "other:1" });
});

test("the stack's base is refused where the Dockerfile takes none", () => {
    expect(issuesFor(`FROM ${base}\n`, { base })).toMatchObject([
        {
            file: "docker-images/engine/Dockerfile",
            problem: expect.stringContaining(base) as string,
        },
    ]);
});

test.each([
    ["/etc/passwd", true],
    ["../../other", true],
    ["..", true],
    ["Dockerfile", false],
    ["app/../Dockerfile", false],
])("a link to %s leads out of the context: %s", (target, outside) => {
    const root = project({ Dockerfile: dockerfile });
    fs.symlinkSync(target, inImage(root, "link"));
    const issues = outside ? issuesOf(() => imageSource(root, "engine")) : [];
    if (!outside) expect(imageSource(root, "engine").digest).toHaveLength(64);
    expect(issues.map(({ file, code }) => ({ file, code }))).toEqual(
        outside ? [{ file: "docker-images/engine/link", code: "image" }] : [],
    );
});

test("an ignored link may lead anywhere", () => {
    const root = project({ Dockerfile: dockerfile, ".dockerignore": "link" });
    fs.symlinkSync("/etc/passwd", inImage(root, "link"));
    expect(imageSource(root, "engine").digest).toHaveLength(64);
});

test("all problems at once", () => {
    const root = project({ Dockerfile: "FROM a:1 AS x\nFROM b:1\n" });
    fs.symlinkSync("/etc/passwd", inImage(root, "link"));
    expect(issuesOf(() => imageSource(root, "engine")).map(({ line }) => line)).toEqual([
        1,
        2,
        undefined,
    ]);
});

test("a rule that is no pattern", () => {
    const root = project({ Dockerfile: dockerfile, ".dockerignore": "a[b" });
    expect(issuesOf(() => imageSource(root, "engine"))).toMatchObject([
        { code: "image", file: "docker-images/engine/.dockerignore" },
    ]);
});
