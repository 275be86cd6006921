import { execFileSync, spawnSync } from "node:child_process";
import {
    appendFileSync,
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    symlinkSync,
    utimesSync,
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
        hide_salt; settle_stack_files`;
    execFileSync("sh", ["-euc", script], { cwd: project });
    expect(git("status", "--porcelain")).toBe("");
    expect(readFileSync(stackFile, "utf8")).toBe(`config: {}\n${salt}`);
    appendFileSync(stackFile, "x: 1\n");
    execFileSync("sh", ["-euc", script], { cwd: project });
    expect(git("status", "--porcelain")).toBe(" M Pulumi.spark.yaml\n");
});

/** Runs a step of set-up by itself, with commands of our own in front of PATH. */
function setupStep(line: string, commands: Readonly<Record<string, string>> = {}) {
    const bin = path.join(project, "bin");
    mkdirSync(bin, { recursive: true });
    for (const [name, text] of Object.entries(commands)) {
        writeFileSync(path.join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
    const script = `root=$PWD toolchain=$PWD/.toolchain state=$PWD/.state
        . scripts/versions.sh
        for part in common env dependencies pulumi stack system; do . scripts/setup.d/$part.sh; done
        ${line}`;
    const { status, stderr } = spawnSync("sh", ["-euc", script], {
        cwd: project,
        env: {
            PATH: `${bin}:${process.env["PATH"] ?? ""}`,
            HOME: project,
            SPARK_TOOLCHAIN: "none",
        },
    });
    return { status, said: stderr.toString() };
}

describe("dependencies", () => {
    const npm = { npm: "echo ran >>npm-ran; mkdir -p node_modules" };
    const runs = () => {
        const { status } = setupStep("install_dependencies", npm);
        expect(status).toBe(0);
        return existsSync(path.join(project, "npm-ran"))
            ? readFileSync(path.join(project, "npm-ran"), "utf8").split("\n").length - 1
            : 0;
    };

    test("are installed once for a lock file, whatever its time", () => {
        const lock = path.join(project, "package-lock.json");
        writeFileSync(lock, "{}");
        expect([runs(), runs()]).toEqual([1, 1]);
        utimesSync(lock, new Date(), new Date(Date.now() + 60_000));
        expect(runs()).toBe(1);
        writeFileSync(lock, "{ }");
        expect(runs()).toBe(2);
    });

    test("never go through a link into another folder", () => {
        symlinkSync("..", path.join(project, "node_modules"));
        expect(setupStep("install_dependencies", npm)).toEqual({
            status: 1,
            said: "setup: node_modules is a link: remove it, so that this folder gets its own\n",
        });
    });

    test("that cannot be installed are said, with npm's words", () => {
        writeFileSync(path.join(project, "package-lock.json"), "{}");
        const { status, said } = setupStep("install_dependencies", {
            npm: "echo no network >&2; exit 1",
        });
        expect(status).toBe(1);
        expect(said).toContain("no network\nsetup: the dependencies could not be installed");
    });
});

test("without archives and without a network Pulumi cannot be had: code 3, nothing half done", () => {
    const { status, said } = setupStep("install_pulumi", { curl: "exit 6", pulumi: "exit 1" });
    expect(status).toBe(3);
    expect(said).toContain("is not to be had here.\n  tried:    none (no archive for ");
    expect(said).toContain("set SPARK_TOOLCHAIN to it, then run this again\n");
    expect(existsSync(path.join(project, ".toolchain/pulumi"))).toBe(false);
});

test.each([
    ["without a secret", "config: {}\n", ""],
    ["with one", "config:\n  spark-vllm:apiKey:\n    secure: v1:abc\n", salt],
])("before a stack is made anew, the salt of a file %s", (_, text, left) => {
    const stackFile = path.join(project, "Pulumi.spark.yaml");
    writeFileSync(stackFile, text + salt);
    expect(setupStep('drop_old_salt "$root/Pulumi.spark.yaml"').status).toBe(0);
    expect(readFileSync(stackFile, "utf8")).toBe(text + left);
});
