// Compiles the program, the `spark` command and the host steps into dist/, one bundle each (esbuild, about 0.1 s).
import { createRequire } from "node:module";

const { build } = createRequire(import.meta.url)("./bundle.js");
build();
