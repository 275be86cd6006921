import * as fs from "node:fs";

import { imageSource } from "../../components/image";

import { base, dockerfile, inImage, project, removeProjects, write } from "./contextFixture";

afterEach(removeProjects);

const files = {
    Dockerfile: dockerfile,
    "app/main.py": "print('hello')\n",
    "app/run": "#!/bin/sh\n",
};
const digestOf = (root: string, options = {}): string =>
    imageSource(root, "engine", options).digest;

test("the source names context, Dockerfile and arguments relative to the project", () => {
    expect(imageSource(project(files), "engine")).toEqual({
        context: "docker-images/engine",
        dockerfile: "docker-images/engine/Dockerfile",
        args: {},
        bases: [base],
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
});

test("the digest is the one of earlier versions: another would rebuild and replace everything", () => {
    expect(digestOf(project(files))).toBe(
        "a55af5a91cf6da74a1d872721573effc574ed1a6b0857d06d8639a6c94eb37d0",
    );
});

test.each<[string, (root: string) => void]>([
    [
        "other times",
        (root) => {
            fs.utimesSync(inImage(root, "app/main.py"), 1, 1);
        },
    ],
    [
        "group and others may read or not",
        (root) => {
            fs.chmodSync(inImage(root, "app/main.py"), 0o600);
        },
    ],
    [
        "an empty folder",
        (root) => {
            fs.mkdirSync(inImage(root, "empty"));
        },
    ],
    [
        "files written in another order",
        (root) => {
            fs.rmSync(inImage(root, "app"), { recursive: true });
            write(root, "app/run", files["app/run"]);
            write(root, "app/main.py", files["app/main.py"]);
        },
    ],
])("%s: the same digest", (_, change) => {
    const root = project(files);
    change(root);
    expect(digestOf(root)).toBe(digestOf(project(files)));
});

test.each<[string, (root: string) => void]>([
    [
        "one byte",
        (root) => {
            write(root, "app/main.py", "print('hellO')\n");
        },
    ],
    [
        "CRLF instead of LF",
        (root) => {
            write(root, "app/main.py", "print('hello')\r\n");
        },
    ],
    [
        "the executable bit",
        (root) => {
            fs.chmodSync(inImage(root, "app/run"), 0o755);
        },
    ],
    [
        "a file more",
        (root) => {
            write(root, "app/empty", "");
        },
    ],
    [
        "a file less",
        (root) => {
            fs.rmSync(inImage(root, "app/run"));
        },
    ],
    [
        "a file's name",
        (root) => {
            fs.renameSync(inImage(root, "app/run"), inImage(root, "app/ran"));
        },
    ],
    [
        "a comment in the Dockerfile",
        (root) => {
            write(root, "Dockerfile", `# note\n${dockerfile}`);
        },
    ],
    [
        "a link instead of a file",
        (root) => {
            fs.rmSync(inImage(root, "app/run"));
            fs.symlinkSync("main.py", inImage(root, "app/run"));
        },
    ],
])("%s: another digest", (_, change) => {
    const root = project(files);
    change(root);
    expect(digestOf(root)).not.toBe(digestOf(project(files)));
});

test("content moved from one file to the next is another digest", () => {
    const one = project({ Dockerfile: dockerfile, a: "xy", b: "" });
    const two = project({ Dockerfile: dockerfile, a: "x", b: "y" });
    expect(digestOf(one)).not.toBe(digestOf(two));
});

test("a link counts by its target's name", () => {
    const roots = ["main.py", "other.py"].map((target) => {
        const root = project({ ...files, "app/other.py": files["app/main.py"] });
        fs.symlinkSync(target, inImage(root, "app/link"));
        return root;
    });
    expect(digestOf(roots[0] ?? "")).not.toBe(digestOf(roots[1] ?? ""));
});

test("another base is a build argument and another digest", () => {
    const other = `example/other@sha256:${"2".repeat(64)}`;
    const root = project(files);
    const source = imageSource(root, "engine", { base: other });
    expect(source.args).toEqual({ BASE: other });
    expect(source.digest).not.toBe(digestOf(root));
});

test("the Dockerfile's own base, written out in the stack, is no change", () => {
    const root = project(files);
    expect(imageSource(root, "engine", { base })).toEqual(imageSource(root, "engine"));
});

test("a Dockerfile that asks for the digest is given it", () => {
    const root = project({ ...files, Dockerfile: `${dockerfile}ARG SPARK_VLLM_CONTEXT=\n` });
    const { args, digest } = imageSource(root, "engine");
    expect(args).toEqual({ SPARK_VLLM_CONTEXT: digest });
});

test.each<[string, string, string, boolean]>([
    ["*.log", "app/a.log", "", true],
    ["**/*.log", "app/a.log", "", false],
    ["app/*.log", "app/a.log", "", false],
    ["app", "app/deep/a.log", "", false],
    ["/app/deep/", "app/deep/a.log", "", false],
    ["**\n!keep.txt", "other.txt", "", false],
    ["*\n!app", "app/new.txt", "", true],
    ["app\n!app/new.txt", "app/new.txt", "", true],
    ["app\n  !app/new.txt", "app/new.txt", "", true],
    ["APP", "app/new.txt", "", true],
    ["# app", "app/new.txt", "", true],
    ["c++ (1)", "c++ (1)", "", false],
    ["Dockerfile", "Dockerfile", dockerfile, true],
])("with %j in .dockerignore, %s counts or not as Docker has it", (rules, name, start, counts) => {
    const contents = ["one", "two"].map((text) =>
        digestOf(project({ ...files, [name]: `${start}# ${text}\n`, ".dockerignore": rules })),
    );
    expect(contents[0] !== contents[1]).toBe(counts);
});

test("Dockerfile.dockerignore goes before .dockerignore", () => {
    const digest = (text: string): string =>
        digestOf(
            project({
                ...files,
                note: text,
                "Dockerfile.dockerignore": "note",
                ".dockerignore": "app",
            }),
        );
    expect(digest("one")).toBe(digest("two"));
});
