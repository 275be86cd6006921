import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

// Nodes of a run that was killed: they are no obstacle to whoever comes next, from any folder.
jest.setTimeout(300_000);

const root = path.dirname(path.dirname(__dirname));

/** What another checkout has of the lab, and a lab of the same name in each. */
class Checkout {
    readonly folder = mkdtempSync(path.join(tmpdir(), "spark-checkout-"));

    constructor(readonly name: string) {
        cpSync(path.join(root, "tests/lab"), path.join(this.folder, "tests/lab"), {
            recursive: true,
        });
        symlinkSync(path.join(root, "node_modules"), path.join(this.folder, "node_modules"));
    }

    lab(words: readonly string[], run?: number) {
        const { status, stderr } = spawnSync(path.join(this.folder, "tests/lab/lab"), words, {
            encoding: "utf8",
            env: { ...process.env, LAB: this.name, LAB_FOR: run === undefined ? "" : String(run) },
        });
        return { code: status, said: stderr };
    }

    remove(): void {
        rmSync(this.folder, { recursive: true, force: true });
    }
}

test("refused while that run goes on, taken over once it was killed, and nothing is left", async () => {
    const name = `gone${randomBytes(3).toString("hex")}`;
    const [first, second] = [new Checkout(name), new Checkout(name)];
    const run = spawn("sleep", ["600"]);
    try {
        expect(first.lab(["up", "1"], run.pid)).toMatchObject({ code: 0 });
        const refused = second.lab(["up", "1"], process.pid);
        expect(refused.said).toContain(`lab spark-lab-${name} belongs to ${first.folder}`);
        expect(refused.code).toBe(1);
        expect(existsSync(path.join(second.folder, ".lab"))).toBe(false);
        expect(first.lab(["ssh", "1", "docker", "version"]).code).toBe(0);

        run.kill("SIGKILL");
        await once(run, "close");
        const taken = second.lab(["up", "1"], process.pid);
        expect(taken.said).toContain(`lab spark-lab-${name}, whose test run or demo was killed`);
        expect(taken.code).toBe(0);
        expect(second.lab(["ssh", "1", "docker", "version"]).code).toBe(0);
        expect(second.lab(["down"]).code).toBe(0);
        // What it still has of the nodes are files.
        expect(first.lab(["down"]).code).toBe(0);
        const traces = execFileSync(path.join(root, "tests/lab/trace"), { encoding: "utf8" });
        expect(traces.split("\n").filter((line) => line.includes(name))).toEqual([]);
    } finally {
        run.kill("SIGKILL");
        for (const checkout of [second, first]) {
            checkout.lab(["down"]);
            checkout.remove();
        }
    }
});

test.each([
    ["a process that runs", "$(process_mark $$)", 1],
    ["another process with its id", "$(uname -n)/$$/0123456789ab", 0],
    ["a process of another machine", "elsewhere/1/0123456789ab", 1],
])("%s: abandoned or not", (_, mark, code) => {
    const parts = ["say", "abandoned"].map((part) => `. ${root}/tests/lab/lib/${part}.sh`);
    const script = [...parts, `is_abandoned "${mark}"`].join("\n");
    expect(spawnSync("bash", ["-c", script]).status).toBe(code);
});
