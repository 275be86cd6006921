import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { root } from "./lab";

// Pulumi adds its salt to a stack file by writing all of it anew. The tracked file has a form that it leaves alone, so
// that git sees no change after a first command.
test("Pulumi's first command leaves the tracked stack file as it is, but for the salt", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "spark-stack-file-"));
    try {
        mkdirSync(path.join(folder, ".state"));
        writeFileSync(path.join(folder, "package.json"), "{}\n");
        for (const file of ["Pulumi.yaml", "Pulumi.spark.yaml"]) {
            cpSync(path.join(root, file), path.join(folder, file));
        }
        execFileSync("pulumi", ["stack", "init", "spark"], {
            cwd: folder,
            env: { ...process.env, PULUMI_BACKEND_URL: `file://${folder}/.state` },
            stdio: "pipe",
        });
        const written = readFileSync(path.join(folder, "Pulumi.spark.yaml"), "utf8");
        expect(written).toMatch(/^encryptionsalt: v1:/m);
        const filter = path.join(root, "scripts/setup.d/cleanStackFile");
        expect(execFileSync(filter, { input: written }).toString()).toBe(
            readFileSync(path.join(root, "Pulumi.spark.yaml"), "utf8").replace(
                /^encryptionsalt: .*\n/m,
                "",
            ),
        );
    } finally {
        rmSync(folder, { recursive: true });
    }
});
