import { readFileSync } from "node:fs";
import path from "node:path";

import type { ProgramFailure } from "../../../components/host/weights/program";
import { transferIssue } from "../../../components/host/weights/transferIssue";
import type { StackPlan } from "../../../components/plan";

const golden = path.join(__dirname, "../../fixtures/plan/dsv4-flash-vision.json");
const plan = JSON.parse(readFileSync(golden, "utf8")) as StackPlan;
const node = plan.nodes[0]!;
const gib = 2 ** 30;

test.each<[Omit<ProgramFailure, "kind" | "text">, boolean, string, string]>([
    [
        { why: "gated", status: 401 },
        false,
        "weights: the hub wants a login for deepseek-ai/DeepSeek-V4-Flash-Vision-Exp, or has no such model (HTTP 401)",
        "accept its terms on the page of deepseek-ai/DeepSeek-V4-Flash-Vision-Exp, then: pulumi config set --secret huggingFaceToken",
    ],
    [
        { why: "gated", status: 403 },
        true,
        "weights: the hub does not show deepseek-ai/DeepSeek-V4-Flash-Vision-Exp to this token (HTTP 403)",
        "accept its terms on the page of deepseek-ai/DeepSeek-V4-Flash-Vision-Exp with the token's account, or set another token: pulumi config set --secret huggingFaceToken",
    ],
    [
        { why: "unknown", status: 404 },
        false,
        "weights: the hub has no deepseek-ai/DeepSeek-V4-Flash-Vision-Exp at 86f746b36186f0e567729a5c06a8c918caba82a9: said",
        "correct model.revision in the stack's configuration, or the recipe's model",
    ],
    [
        { why: "disk", needed: 156 * gib, free: 20 * gib },
        false,
        "disk: 156.0 GiB of weights are missing, /mnt/nas/ai/huggingface has 20.0 GiB free",
        "remove what is not needed there, or set weights.path to a larger disk",
    ],
    [
        { why: "permission" },
        false,
        "weights: the weights cannot be written to /mnt/nas/ai/huggingface: said",
        "`sudo install -d -o USER /mnt/nas/ai/huggingface` on spark-1, or give write access on the server's export",
    ],
    [
        { why: "network" },
        false,
        "weights: the transfer broke off: said",
        "run it again: it goes on where it stopped",
    ],
    [
        { why: "no-image" },
        false,
        "image: there is no image a:1",
        "`pulumi up` with weights.prefetch: true builds it first; or name another: `spark fetch --image NAME`",
    ],
    [
        { why: "no-client" },
        false,
        "image: a:1 has no Python with huggingface_hub (said)",
        "name another: `spark fetch --image NAME`",
    ],
])("%j, with token %s", (failure, withToken, problem, fix) => {
    const transfer = { plan, node, image: "a:1", withToken };
    const issue = transferIssue(transfer, { kind: "failed", text: "said", ...failure });
    expect(`${issue.code}: ${issue.problem}`).toBe(problem);
    expect(issue.fix).toBe(fix);
    expect(issue.file).toBe("spark-1");
});
