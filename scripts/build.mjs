// Compiles the program, the `spark` command and the host steps into dist/, one bundle each (esbuild, about 0.1 s).
// --is-fresh: compiles nothing, exit code 0 when dist/ is as new as the sources.
import { createRequire } from "node:module";

const { build, isFresh } = createRequire(import.meta.url)("./bundle.js");
if (process.argv.includes("--is-fresh")) process.exit(isFresh() ? 0 : 1);
try {
    build();
} catch {
    // The compiler has said what is wrong, and where.
    process.exitCode = 1;
}
