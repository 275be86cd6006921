import { readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { planStack } from "../../components/plan";
import { seedInput } from "./seed";

const golden = path.join(__dirname, "../fixtures/plan/dsv4-flash-vision.json");

// After a wanted change: UPDATE_GOLDEN=1 npx jest tests/plan/golden, then read the difference.
test("the plan of the seed on the example pair", () => {
    const text = `${JSON.stringify(planStack(seedInput()), null, 2)}\n`;
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(golden, text);
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(golden, "utf8")));
    expect(text).toBe(readFileSync(golden, "utf8"));
});
