import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { commandLines, expected, program, readEnds } from "../vllm/ends";
import { inStandIn } from "../vllm/inImage";
import { makeHub, model } from "./hub";

test("the stand-in ends as vLLM does: the same table as in tests/vllm", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "spark-ends-"));
    try {
        makeHub(folder);
        const env = {
            HF_HOME: folder,
            HF_HUB_OFFLINE: "1",
            STANDIN_LAB_DIR: folder,
            STANDIN_STATE_DIR: folder,
        };
        expect(readEnds(await inStandIn(program, commandLines(model), env))).toEqual(expected);
    } finally {
        rmSync(folder, { recursive: true });
    }
}, 120_000);
