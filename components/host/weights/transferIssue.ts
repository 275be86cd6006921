import type { Issue } from "../../issue";
import type { NodePlan, StackPlan } from "../../plan";
import { hubMount, type ProgramFailure } from "./program";
import { sizeText } from "./transferText";

type Text = Pick<Issue, "problem" | "expected"> & {
    readonly code?: Issue["code"];
    readonly fix: string;
};

/** Where a transfer failed. */
export interface Transfer {
    readonly plan: StackPlan;
    readonly node: NodePlan;
    readonly image: string;
    /** Whether the hub was shown a token. */
    readonly withToken: boolean;
}

/** The issue for a download or copy that failed; what has come so far stays, and the next run goes on from there. */
export function transferIssue(transfer: Transfer, failure: ProgramFailure): Issue {
    const { code = "weights", ...text } = describe(transfer, failure);
    return { code, severity: "error", file: transfer.node.name, path: "weights-fetch", ...text };
}

const goOn = "run it again: it goes on where it stopped";

function describe(transfer: Transfer, failure: ProgramFailure): Text {
    const { plan, node, image } = transfer;
    const { here } = hubMount(node);
    switch (failure.why) {
        case "gated":
            return gated(transfer, failure);
        case "unknown":
            return unknown(plan, failure);
        case "disk":
            return {
                code: "disk",
                problem: `${sizeText(failure.needed ?? 0)} of weights are missing, ${here} has ${sizeText(failure.free ?? 0)} free`,
                expected: "room for the whole model",
                fix: "remove what is not needed there, or set weights.path to a larger disk",
            };
        case "permission":
        case "no-directory":
            return {
                problem: `the weights cannot be written to ${here}: ${failure.text}`,
                expected: "a hub that the login user, or root without root_squash, may write to",
                fix: `\`sudo install -d -o USER ${here}\` on ${node.name}, or give write access on the server's export`,
            };
        case "network":
        case "incomplete":
            return {
                problem: `the transfer broke off: ${failure.text}`,
                expected: "whole weights",
                fix: goOn,
            };
        case "content":
            return {
                problem: failure.text,
                expected: "the same content on every node",
                fix: "the sender's file is damaged: remove its blob there and fetch it again",
            };
        default:
            return describeImage(image, failure);
    }
}

function unknown({ model }: StackPlan, { text }: ProgramFailure): Text {
    return {
        problem: `the hub has no ${model.id} at ${model.revision ?? "main"}: ${text}`,
        expected: "a model and a commit that the hub has",
        fix: "correct model.revision in the stack's configuration, or the recipe's model",
    };
}

function gated({ plan, withToken }: Transfer, { status }: ProgramFailure): Text {
    const page = `accept its terms on the page of ${plan.model.id}`;
    return {
        problem: withToken
            ? `the hub does not show ${plan.model.id} to this token (HTTP ${String(status)})`
            : `the hub wants a login for ${plan.model.id}, or has no such model (HTTP ${String(status)})`,
        expected: withToken
            ? "a token that may read the model"
            : "an open model, or the secret huggingFaceToken",
        fix: withToken
            ? `${page} with the token's account, or set another token: pulumi config set --secret huggingFaceToken`
            : `${page}, then: pulumi config set --secret huggingFaceToken`,
    };
}

function describeImage(image: string, { why, text }: ProgramFailure): Text {
    switch (why) {
        case "no-image":
            return {
                code: "image",
                problem: `there is no image ${image}`,
                expected: "the recipe's image: its client downloads",
                fix: "`pulumi up` with weights.prefetch: true builds it first; or name another: `spark fetch --image NAME`",
            };
        case "no-client":
            return {
                code: "image",
                problem: `${image} has no Python with huggingface_hub (${text})`,
                expected: "an image that brings the hub's client",
                fix: "name another: `spark fetch --image NAME`",
            };
        default:
            return { problem: `the transfer ended: ${text}`, expected: "whole weights", fix: goOn };
    }
}
