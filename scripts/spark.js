#!/usr/bin/env node
// The `spark` command: cli/main.ts, compiled (see bundle.js).
require("./bundle.js").load("spark");
