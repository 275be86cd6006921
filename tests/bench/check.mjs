// How long `spark check` of the seed recipe takes beyond Node's own start, in alternating runs. It is no test.
//   node tests/bench/check.mjs [RUNS]
import { execFileSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const runs = Number(process.argv[2] ?? 15);

function milliseconds(...args) {
    const started = process.hrtime.bigint();
    execFileSync(process.execPath, args, { cwd: root, stdio: "ignore" });
    return Number(process.hrtime.bigint() - started) / 1e6;
}
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const check = [],
    bare = [];
for (let run = 0; run <= runs; run += 1) {
    const ours = milliseconds("scripts/spark.js", "check", "recipes/dsv4-flash-vision");
    const node = milliseconds("-e", "0");
    if (run === 0) continue; // compiles a stale bundle, warms the disk cache
    check.push(ours);
    bare.push(node);
}
const [a, b] = [median(check), median(bare)];
console.log(
    `spark check of the seed: ${a.toFixed(0)} ms, bare node: ${b.toFixed(0)} ms (${runs} runs each)`,
);
console.log(`beyond Node's own start: ${(a - b).toFixed(0)} ms (goal: at most 150)`);
