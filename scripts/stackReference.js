// Writes docs/stack-reference.md from the schema of the stack's configuration (components/cluster/reference.ts).
const fs = require("node:fs");
const path = require("node:path");

const { loadSource } = require("./loadSource.js");

const { stackReference } = loadSource("components/cluster/reference.ts");
fs.writeFileSync(path.join(path.dirname(__dirname), "docs/stack-reference.md"), stackReference());
