import { execFile } from "node:child_process";
import {
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { stringify } from "yaml";

import { lab, labConfig, labNodes, onNode, root, seenRanks } from "./lab";

// The life of a stack whose truth is a git repository: each commit goes through the scripts that the workflows call,
// in a runner's clone. Each test stands on the one before it.
jest.setTimeout(300_000);

const run = promisify(execFile);
const stack = "gitops";
let folder: string;
let runner: string;
let env: NodeJS.ProcessEnv;

const git = async (cwd: string, ...args: readonly string[]) =>
    (
        await run("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd })
    ).stdout.trim();

/** Runs one of the scripts as the workflow does; code and all it said. */
async function script(name: string, variables: Readonly<Record<string, string>> = {}) {
    const options = { cwd: runner, env: { ...env, ...variables }, maxBuffer: 1e8 };
    try {
        const { stdout, stderr } = await run(
            path.join(runner, "scripts/gitops", name),
            [],
            options,
        );
        return { code: 0, said: stdout + stderr };
    } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, said: stdout + stderr };
    }
}

/** Commits files and pushes them; the runner then has that commit, and nothing of its own. */
async function commit(work: string, files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(work, name), text);
    await git(work, "add", "--all");
    await git(work, "commit", "--quiet", "--message", "x");
    await git(work, "push", "--quiet", "origin", "HEAD:main");
    await git(runner, "fetch", "--quiet", "origin");
    await git(runner, "checkout", "--quiet", "--force", "origin/main");
}

const recipeFile = "recipes/dsv4-flash-vision/recipe.toml";
const work = () => path.join(folder, "work");
const comment = () => path.join(folder, "comment.md");

beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-gitops-"));
    runner = path.join(folder, "runner");
    const bare = path.join(folder, "repository.git");
    await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", bare]);
    await run("git", ["clone", "--quiet", bare, work()]);
    // What is committed and what is about to be.
    const files = await git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
    for (const file of files.split("\0")) {
        if (file === "" || !existsSync(path.join(root, file))) continue;
        mkdirSync(path.dirname(path.join(work(), file)), { recursive: true });
        cpSync(path.join(root, file), path.join(work(), file));
    }
    await run("git", ["clone", "--quiet", bare, runner]);
    // What a runner keeps from one run to the next; as links to the same files, which nobody changes.
    for (const kept of ["node_modules", ".toolchain"]) {
        if (!existsSync(path.join(root, kept))) continue;
        await run("cp", ["-al", path.join(root, kept), runner]).catch(() =>
            run("cp", ["-a", path.join(root, kept), runner]),
        );
    }
    const { sshConfig, ...config } = labConfig();
    const keys = { ...config, sshConfig: path.join(root, sshConfig as string) };
    const named = Object.entries(keys).map(([key, value]) => [`spark-vllm:${key}`, value] as const);
    await commit(work(), {
        [`Pulumi.${stack}.yaml`]: stringify({ config: Object.fromEntries(named) }),
    });
    env = { ...process.env, SPARK_STACK: stack, COMMENT_FILE: comment(), CI: "true" };
});

afterAll(async () => {
    await Promise.all(labNodes().map((_, at) => lab("rejoin", String(at + 1))));
    await script("destroy", { CONFIRM: stack });
    rmSync(folder, { recursive: true });
});

test("before the stack is made, the comment says so", async () => {
    const { code } = await script("preview");
    expect(code).toBe(1);
    expect(readFileSync(comment(), "utf8")).toContain(`no stack named '${stack}' found`);
});

test("the first deploy: a group that serves", async () => {
    await run("scripts/pulumi", ["stack", "init", stack], { cwd: runner, env });
    const { code, said } = await script("deploy");
    expect(said).toContain("a completion came in");
    expect(code).toBe(0);
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);
});

test("a change request: the comment has the replaced ranks, old and new; no node is contacted", async () => {
    const recipe = readFileSync(path.join(root, recipeFile), "utf8");
    await commit(work(), {
        [recipeFile]: recipe.replace('"--max-num-seqs", "2"', '"--max-num-seqs", "4"'),
    });
    await Promise.all(labNodes().map((_, at) => lab("isolate", String(at + 1))));
    const { code } = await script("preview");
    await Promise.all(labNodes().map((_, at) => lab("rejoin", String(at + 1))));
    const text = readFileSync(comment(), "utf8");
    expect(text).toContain(`### Stack \`${stack}\`: replaces 2 ranks\n`);
    expect(text).toContain("\n--max-num-seqs: 2 -> 4 (all ranks)\n");
    expect(text).toContain("\nAll recipes are valid.\n");
    expect(code).toBe(0);
});

test("its merge is deployed, a second deploy changes nothing", async () => {
    expect(await script("deploy")).toMatchObject({ code: 0 });
    const ranks = await seenRanks();
    const [head] = ranks;
    const args = await onNode(
        head?.node ?? "",
        `docker inspect -f '{{json .Args}}' ${head?.id ?? ""}`,
    );
    expect(args).toContain('"--max-num-seqs","4"');
    const again = await script("deploy");
    expect(again.said).toMatch(/Resources:\n +\d+ unchanged\n/);
    expect(await seenRanks()).toEqual(ranks);
});

test("a broken recipe: the comment has its line, and the ranks stay", async () => {
    const recipe = readFileSync(path.join(root, recipeFile), "utf8");
    await commit(work(), { [recipeFile]: recipe.replace("shm_size =", "shm_sise =") });
    expect(await script("preview")).toMatchObject({ code: 1 });
    expect(readFileSync(comment(), "utf8")).toMatch(/recipe\.toml:\d+:\d+ +shm_sise: unknown key/);
    expect(await script("deploy")).toMatchObject({ code: 1 });
    expect((await seenRanks()).map(({ state }) => state)).toEqual(["running", "running"]);
});

test("destroy asks for the stack's name, then leaves nothing", async () => {
    expect(await script("destroy")).toMatchObject({
        code: 2,
        said: `destroy: to take down the stack ${stack}, confirm with its name: got "". Nothing was changed.\n`,
    });
    await commit(work(), { [recipeFile]: readFileSync(path.join(root, recipeFile), "utf8") });
    expect(await script("destroy", { CONFIRM: stack })).toMatchObject({ code: 0 });
    expect(await seenRanks()).toEqual([]);
});
