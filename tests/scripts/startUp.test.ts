import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { execFileSync } from "node:child_process";

import { buildSync } from "esbuild";

const root = path.resolve(__dirname, "../..");
let folder: string;

beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "spark-start-"));
});
afterAll(() => {
    rmSync(folder, { recursive: true });
});

const node = (file: string) =>
    execFileSync(process.execPath, [file], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
    });

test("a lazy module is loaded at its first use, and is then what it always was", () => {
    writeFileSync(
        path.join(folder, "heavy.js"),
        'console.log("loaded"); exports.answer = () => 42; exports.name = "heavy";',
    );
    writeFileSync(
        path.join(folder, "main.js"),
        `require("${root}/scripts/lazyModules.js").lazyModules(["./heavy.js"]);
        const heavy = require("./heavy.js");
        console.log("before", heavy.__esModule, require("node:path").sep);
        console.log(heavy.answer(), heavy.name, "name" in heavy, "other" in heavy, require("./heavy.js").name);`,
    );
    expect(node(path.join(folder, "main.js")).split("\n")).toEqual([
        "before true /",
        "loaded",
        "42 heavy true false heavy",
        "",
    ]);
});

test.each(["throw new Error('bug')", "Promise.reject(new Error('bug'))"])(
    "the stack of a bug leads to the source: %s",
    (statement) => {
        const source = `// A line that the compiler drops.\n\ntype Unused = string;\n\nexport const run = () => {\n    ${statement};\n};\nrun();\n`;
        writeFileSync(path.join(folder, "bug.ts"), source);
        buildSync({
            entryPoints: [path.join(folder, "bug.ts")],
            outdir: path.join(folder, "dist"),
            format: "cjs",
            sourcemap: "linked",
        });
        writeFileSync(
            path.join(folder, "bug.js"),
            `require("${root}/scripts/plainStacks.js").plainStacks();
            for (const event of ["uncaughtException", "unhandledRejection"])
                process.on(event, (error) => console.log(error.stack.split("\\n")[1]));
            require("./dist/bug.js");`,
        );
        expect(node(path.join(folder, "bug.js"))).toMatch(/\/bug\.ts:6:\d+\)/);
    },
);
