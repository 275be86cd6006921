#!/usr/bin/env node
// A long step on the nodes (preflight, launch): components/host/main.ts, compiled (see bundle.js).
require("./bundle.js").load("host");
