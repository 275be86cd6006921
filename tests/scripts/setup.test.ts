import { execFileSync, spawnSync } from "node:child_process";
import {
    appendFileSync,
    cpSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.dirname(path.dirname(__dirname));

let project: string;

// A folder whose name needs quoting, with the set-up scripts and Pulumi.yaml alone.
beforeEach(() => {
    project = path.join(mkdtempSync(path.join(tmpdir(), "setup-")), "it's mine");
    mkdirSync(project);
    for (const file of ["scripts", "Pulumi.yaml", ".gitattributes"]) {
        cpSync(path.join(root, file), path.join(project, file), { recursive: true });
    }
});

afterEach(() => {
    rmSync(path.dirname(project), { recursive: true });
});

/** Variables that a shell has after eval of `setup --env`. */
function environment(env: Readonly<Record<string, string>> = {}) {
    const shell = `eval "$(scripts/setup --env)" && exec node -p "JSON.stringify(process.env)"`;
    const text = execFileSync("sh", ["-c", shell], {
        cwd: project,
        env: { PATH: process.env["PATH"], HOME: project, ...env },
    });
    return JSON.parse(text.toString()) as Readonly<Record<string, string>>;
}

function ownPulumi() {
    mkdirSync(path.join(project, ".toolchain/pulumi/bin"), { recursive: true });
    writeFileSync(path.join(project, ".toolchain/pulumi/bin/pulumi"), "#!/bin/sh\n", {
        mode: 0o755,
    });
}

test("--env: the project's own Pulumi, plugins and state, by absolute paths", () => {
    ownPulumi();
    mkdirSync(path.join(project, ".state"));
    writeFileSync(path.join(project, ".state/passphrase"), "\n");
    expect(environment()).toMatchObject({
        PATH: `${project}/.toolchain/pulumi/bin:${process.env["PATH"] ?? ""}`,
        PULUMI_HOME: `${project}/.toolchain/pulumi-home`,
        PULUMI_BACKEND_URL: `file://${project}/.state`,
        PULUMI_CONFIG_PASSPHRASE_FILE: `${project}/.state/passphrase`,
    });
});

test("--env keeps what the user has set", () => {
    mkdirSync(path.join(project, ".state"));
    writeFileSync(path.join(project, ".state/passphrase"), "\n");
    const set = {
        PULUMI_BACKEND_URL: "s3://mine",
        PULUMI_CONFIG_PASSPHRASE: "",
        PULUMI_HOME: "/x",
    };
    const env = environment(set);
    expect(env).toMatchObject(set);
    expect(env).not.toHaveProperty("PULUMI_CONFIG_PASSPHRASE_FILE");
});

test("--env leaves a shared backend of Pulumi.yaml alone", () => {
    writeFileSync(path.join(project, "Pulumi.yaml"), "name: x\nbackend:\n  url: s3://team\n");
    expect(environment()).not.toHaveProperty("PULUMI_BACKEND_URL");
});

test.each([
    [["--for"], "--for: expected use, test, demo or pulumi"],
    [["--for", "fun"], "--for fun: expected use, test, demo or pulumi"],
    [["up"], "up: unknown; see scripts/setup --help"],
])("%j is a usage error", (args, message) => {
    const { status, stderr } = spawnSync("scripts/setup", args, { cwd: project });
    expect({ status, stderr: stderr.toString() }).toEqual({
        status: 1,
        stderr: `setup: ${message}\n`,
    });
});

const salt = "encryptionsalt: v1:abc=:v1:def:ghi==\n";

test.each([
    ["config:\n  spark-vllm:recipe: x\n", false],
    ["# encryptionsalt: in words\nconfig: {}\n", false],
    ["config:\n  spark-vllm:apiKey:\n    secure: v1:abc\n", true],
    ["config:\n  spark-vllm:list:\n    - secure: v1:abc\n", true],
    ["config:\n  spark-vllm:apiKey: { secure: v1:abc }\n", true],
])("git sees the salt of %j: %s", (text, seen) => {
    const cleaned = execFileSync("scripts/setup.d/cleanStackFile", {
        cwd: project,
        input: text + salt,
    });
    expect(cleaned.toString()).toBe(seen ? text + salt : text);
});

test("a salt in a tracked stack file is no change for git, another line is", () => {
    const git = (...args: readonly string[]) =>
        execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], {
            cwd: project,
        }).toString();
    const stackFile = path.join(project, "Pulumi.spark.yaml");
    writeFileSync(stackFile, "config: {}\n");
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "x");
    appendFileSync(stackFile, salt);
    const script = `root=$PWD; . scripts/setup.d/common.sh; . scripts/setup.d/stack.sh
        hide_salt; settle_stack_file`;
    execFileSync("sh", ["-euc", script], { cwd: project });
    expect(git("status", "--porcelain")).toBe("");
    expect(readFileSync(stackFile, "utf8")).toBe(`config: {}\n${salt}`);
    appendFileSync(stackFile, "x: 1\n");
    execFileSync("sh", ["-euc", script], { cwd: project });
    expect(git("status", "--porcelain")).toBe(" M Pulumi.spark.yaml\n");
});
