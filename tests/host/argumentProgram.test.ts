import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { readVerdict } from "../../components/host/argumentVerdict";

// The program that runs in the image, on this machine's Python with the stand-in's package, which has vLLM's layout.
const root = path.dirname(path.dirname(__dirname));
const program = readFileSync(path.join(root, "components/host/argumentCheck.py"), "utf8");

function ask(packages: string, ...argv: readonly string[]) {
    const { status, stdout, stderr } = spawnSync("python3", ["-", ...argv], {
        input: program,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: "1" },
    });
    return readVerdict({ code: status ?? 1, stdout, stderr }, 1);
}

const standIn = path.join(root, "docker-images/stand-in");

test.each([
    [["m", "--max-num-seqs", "4", "--kv_cache_memory=64M", "--headless"]],
    [["m", "--speculative-config", '{"method":"x"}', "--speculative-config.a", "1"]],
])("accepted: %j", (argv) => {
    expect(ask(standIn, ...argv)).toEqual({ kind: "accepted" });
});

test.each([
    [["m", "--no-such-flag", "1"], "vllm: error: unrecognized arguments: --no-such-flag 1"],
    [
        ["m", "--max-num-seqs", "many"],
        "vllm serve: error: argument --max-num-seqs: invalid int value: 'many'",
    ],
    [
        ["m", "--enable-auto-tool-choice"],
        "TypeError: Error: --enable-auto-tool-choice requires --tool-call-parser",
    ],
    [["--help"], "it prints and ends instead of serving"],
])("refused: %j", (argv, words) => {
    expect(ask(standIn, ...argv)).toEqual({
        kind: "refused",
        words: expect.stringMatching(new RegExp(`^${words}`)) as string,
    });
});

/** A package tree of these files, removed afterwards. */
function withPackage(files: Readonly<Record<string, string>>, use: (folder: string) => void) {
    const folder = mkdtempSync(path.join(tmpdir(), "spark-package-"));
    try {
        for (const [name, text] of Object.entries(files)) {
            mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
            writeFileSync(path.join(folder, name), text);
        }
        use(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

test.each<[string, Readonly<Record<string, string>>, string]>([
    ["no package", {}, "the image's Python has no vllm package (No module named 'vllm')"],
    [
        "another layout",
        { "vllm/__init__.py": "" },
        "the parser of its vllm cannot be made (ModuleNotFoundError: No module named 'vllm.entrypoints')",
    ],
    [
        "a parser that wants a GPU",
        {
            "vllm/__init__.py": "",
            "vllm/entrypoints/cli/serve.py":
                "class ServeSubcommand:\n def subparser_init(self, s): raise RuntimeError('no device')\n",
            "vllm/utils/__init__.py":
                "from argparse import ArgumentParser as FlexibleArgumentParser\n",
        },
        "the parser of its vllm cannot be made (RuntimeError: no device)",
    ],
])("told apart: %s", (_, files, why) => {
    withPackage(files, (folder) => {
        expect(ask(folder, "m")).toEqual({ kind: "skipped", why });
    });
});
