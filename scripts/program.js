// What `pulumi` runs: index.ts, compiled (see bundle.js).
module.exports = require("./bundle.js").load("index");
