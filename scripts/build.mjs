// Compiles the program, the `spark` command and the host steps into dist/, one bundle each (esbuild, about 0.1 s).
// --is-fresh: compiles nothing, exit code 0 when dist/ is as new as the sources.
// --installed: npm has just installed; notes the lock file, so that set-up does not install again.
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";

const { build, isFresh } = createRequire(import.meta.url)("./bundle.js");
if (process.argv.includes("--is-fresh")) process.exit(isFresh() ? 0 : 1);
try {
    build();
    if (process.argv.includes("--installed")) {
        copyFileSync("package-lock.json", "node_modules/.installed-lock.json");
    }
} catch {
    // The compiler has said what is wrong, and where.
    process.exitCode = 1;
}
