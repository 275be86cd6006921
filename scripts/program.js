const { lazyModules } = require("./lazyModules.js");
const { plainStacks } = require("./plainStacks.js");

// Pulumi loads both for functions that are sent to a cloud; no resource here has one. 1.1 s of a preview.
lazyModules(["typescript", "@npmcli/arborist"]);
plainStacks();

// What `pulumi` runs: index.ts, compiled (see bundle.js).
module.exports = require("./bundle.js").load("index");
