import { readFileSync } from "node:fs";
import * as path from "node:path";
import { stackReference } from "../../components/cluster/reference";

test("the reference page is the schema's: else `node scripts/stackReference.js`", () => {
    const page = readFileSync(path.join(__dirname, "../../docs/stack-reference.md"), "utf8");
    expect(page).toBe(stackReference());
});
