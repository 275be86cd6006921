import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { registerCheck } from "../../cli/check";
import { runCommand } from "./runCommand";

const root = path.join(__dirname, "../..");
const fixtures = path.join(__dirname, "../fixtures/recipes");
let project: string;

beforeAll(() => {
    project = mkdtempSync(path.join(tmpdir(), "spark-check-"));
    const recipe = (name: string, file: string) => {
        mkdirSync(path.join(project, "recipes", name), { recursive: true });
        cpSync(path.join(fixtures, file), path.join(project, "recipes", name, "recipe.toml"));
    };
    recipe("good-model", "valid/minimal.toml");
    recipe("bad-model", "cases/R30.toml");
    writeFileSync(path.join(project, "latin.toml"), Buffer.from('name = "é"', "latin1"));
    writeFileSync(path.join(project, "wide.toml"), Buffer.from('\ufeffname = "é"', "utf16le"));
    mkdirSync(path.join(project, "empty"));
});
afterAll(() => {
    rmSync(project, { recursive: true });
});

const check = (...args: string[]) => runCommand(registerCheck, project, ["check", ...args]);

test.each([
    "good-model",
    "recipes/good-model",
    "recipes/good-model/recipe.toml",
    "./recipes/good-model/",
])("%s is found, and valid", async (name) => {
    expect(await check(name)).toEqual({
        out: "recipes/good-model/recipe.toml is valid.\n",
        err: "",
        code: 0,
    });
});

test("paths are from where the user is, names from the project", async () => {
    writeFileSync(path.join(project, "Pulumi.yaml"), "name: spark-vllm\n");
    const below = path.join(project, "recipes");
    for (const name of ["good-model", "./good-model", "../recipes/good-model/recipe.toml"]) {
        const { out, code } = await runCommand(registerCheck, below, ["check", name]);
        expect([code, out]).toEqual([0, "good-model/recipe.toml is valid.\n"]);
    }
    rmSync(path.join(project, "Pulumi.yaml"));
});

test("issues with their places and exit code 1", async () => {
    const { out, code } = await check("bad-model");
    const heads = out.split("\n").filter((line) => line !== "" && !line.startsWith(" "));
    expect(heads.map((line) => line.split("  ")[0])).toEqual([
        "recipes/bad-model/recipe.toml:4:9",
        "recipes/bad-model/recipe.toml:7:9",
        "recipes/bad-model/recipe.toml:7:26",
        "2 problems, 1 warning. Nothing was changed.",
    ]);
    expect(code).toBe(1);
});

test("--json has the issues as data, warnings too", async () => {
    const { out, code } = await check("bad-model", "--json");
    const { issues } = JSON.parse(out) as { issues: Record<string, unknown>[] };
    expect(issues.map(({ severity }) => severity)).toEqual(["warning", "error", "error"]);
    expect(issues[1]).toEqual({
        code: "managed-flag",
        severity: "error",
        file: "recipes/bad-model/recipe.toml",
        line: 7,
        column: 9,
        path: "args[0]",
        message:
            "--nnodes is set by the program: required_nodes sets it; expected only flags of the model and the engine",
        fix: "remove it and its value",
    });
    expect(code).toBe(1);
    expect(await check("good-model", "--json")).toEqual({
        out: '{\n  "issues": []\n}\n',
        err: "",
        code: 0,
    });
});

test("a folder of recipes is checked as a whole", async () => {
    const { out, code } = await check("recipes");
    expect(out).toContain("recipes/bad-model/recipe.toml:7:26");
    expect(code).toBe(1);
    const all = await runCommand(registerCheck, path.join(fixtures, "valid"), [
        "check",
        ".",
        "--json",
    ]);
    expect(all.code).toBe(0);
});

test.each([
    ["god-model", 'no recipe "god-model"', "did you mean good-model?"],
    [
        "recipes/bad-modle/recipe.toml",
        'no recipe "recipes/bad-modle/recipe.toml"',
        "did you mean bad-model?",
    ],
    ["empty", 'no recipe "empty"', "(bad-model, good-model)"],
    ["latin.toml", "holds bytes that are no UTF-8", "save it as UTF-8"],
    ["wide.toml", "saved as UTF-16", "save it as UTF-8"],
    ["/etc/hosts/x", 'no recipe "/etc/hosts/x"', "a path to a recipe"],
])("%s is one clear message", async (name, problem, fix) => {
    const { out, code } = await check(name);
    expect(out).toContain(problem);
    expect(out).toContain(fix);
    expect(out).toMatch(/\n1 problem\. Nothing was changed\.\n$/);
    expect(code).toBe(1);
});

describe("the command line itself", () => {
    const spark = (...args: string[]) => {
        const { status, stdout, stderr } = spawnSync(
            process.execPath,
            [path.join(root, "scripts/spark.js"), ...args],
            { cwd: root, encoding: "utf8" },
        );
        return { status, stdout, stderr };
    };

    test("the seed is valid", () => {
        const { status, stdout } = spark("check", "dsv4-flash-vision");
        expect(stdout).toMatch(
            /\n4 warnings\.\nrecipes\/dsv4-flash-vision\/recipe\.toml is valid\.\n$/,
        );
        expect(status).toBe(0);
    });

    test.each([
        [["check"], /missing required argument/],
        [["check", "x", "--jsn"], /unknown option/],
        [["chek", "x"], /unknown command 'chek'\n\(Did you mean check\?\)/],
        [["constructor"], /unknown command 'constructor'/],
        [[], /Usage: spark/],
    ])("%j is wrong usage: exit code 2", (args, text) => {
        const { status, stderr } = spark(...args);
        expect(stderr).toMatch(text);
        expect(status).toBe(2);
    });

    test("help is no mistake", () => {
        const { status, stdout } = spark("--help");
        expect(stdout).toMatch(/check .*\n[^]*plan /);
        expect(status).toBe(0);
    });
});
