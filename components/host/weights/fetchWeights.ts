import { RecipeError } from "../../issue";
import type { NodePlan, StackPlan } from "../../plan";
import type { Progress } from "../progress";
import fetchProgram from "./fetch.py";
import { hubMount, type Program, type ProgramEvent, runProgram } from "./program";
import { followTransfer } from "./followTransfer";
import { transferIssue } from "./transferIssue";

export interface TransferOptions {
    readonly progress: Progress;
    /** Shown to the hub only when it refuses without. */
    readonly token?: string;
    /** Image with Python and the hub's client; default: the plan's. */
    readonly image?: string;
    readonly signal?: AbortSignal;
}

const started = "Nothing that serves was stopped; what has been downloaded stays.";

/** How the rank's environment reaches the hub: endpoint, proxies, certificates. */
function hubEnvironment(node: NodePlan): Readonly<Record<string, string>> {
    const names = /^(HF_|(https?|no|all)_proxy$|SSL_CERT_|REQUESTS_CA_|CURL_CA_)/i;
    const offline = /^HF_(HUB_OFFLINE|DATASETS_OFFLINE|HOME|HUB_CACHE)$/;
    return Object.fromEntries(
        Object.entries(node.rank.env).filter(([name]) => names.test(name) && !offline.test(name)),
    );
}

/**
 * Downloads the plan's model at its commit on one node, with the hub's own client in the recipe's image, into the
 * hub that the rank mounts. Goes on where an earlier run stopped. Returns the bytes that came.
 */
export async function fetchWeights(
    plan: StackPlan,
    node: NodePlan,
    options: TransferOptions,
): Promise<number> {
    const { image = plan.image.tag, token, progress } = options;
    const { id: model, revision = null } = plan.model;
    progress.say(node.name, `downloading ${model}${revision === null ? "" : ` at ${revision}`}`);
    const attempt = (secret: string | null): Promise<ProgramEvent> => {
        const order = { model, revision, token: secret, hub: hubMount(node).there };
        const env = hubEnvironment(node);
        const program: Program = { job: "fetch", text: fetchProgram, order, writes: true, env };
        return runProgram(plan, node, program, {
            ...options,
            onEvent: followTransfer(node.name, progress),
        });
    };
    let last = await attempt(null);
    const login = last.kind === "failed" && last.why === "gated" && token !== undefined;
    if (login) {
        progress.say(node.name, "the hub wants a login: trying again with huggingFaceToken");
        last = await attempt(token);
    }
    if (last.kind === "done") return last.fetched;
    if (last.kind !== "failed") throw new Error(`unexpected end: ${last.kind}`);
    throw new RecipeError([transferIssue({ plan, node, image, withToken: login }, last)], started);
}
