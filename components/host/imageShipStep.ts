import { type Issue, RecipeError } from "../issue";
import type { ImagePlan } from "../plan";
import type { GroupNode } from "./group";
import { imageIssues } from "./imageCheck";
import { type ImageLook, lookAtImage } from "./imageLook";
import { type Progress, startProgress } from "./progress";
import { type Received, sendStream } from "./sendStream";
import { hasImage, planShip, roomIssues } from "./shipPlan";

export interface ImageShipInput {
    /** Rank 0 first: it has the image. */
    readonly nodes: readonly (GroupNode & { readonly fabric?: { readonly address: string } })[];
    readonly image: ImagePlan;
}

/** An image of 60 GB at 30 MB/s, a slow disk. */
const timeoutSeconds = 2000;
const closing = "Nothing that serves was stopped; the next `pulumi up` sends what is missing.";

/**
 * Gives every node the first node's image, over the fabric: one `docker save` for all receivers, and only the layers
 * that one of them lacks. Who has it already is sent nothing. Throws RecipeError when a node did not get it whole.
 */
export async function imageShipStep(
    { nodes, image }: ImageShipInput,
    signal: AbortSignal,
): Promise<object> {
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    const look = (node: GroupNode) => lookAtImage(node, image.tag, signal, "layers");
    const [sender, ...others] = await Promise.all(nodes.map(look));
    const [from] = nodes;
    if (sender === undefined || from === undefined) return { sent: [] };
    refuse(imageIssues([sender], image));
    const plan = planShip(sender, others);
    if (plan.receivers.length === 0) return { sent: [] };
    refuse(roomIssues(sender, plan));
    const lacking = new Set(plan.receivers.map(({ node }) => node));
    const receivers = nodes.filter(({ name }) => lacking.has(name));
    const address = from.fabric?.address ?? "";
    const { received, bytes } = await send(
        { from, address, receivers, image, signal },
        plan.leaveOut,
        progress,
    );
    refuse(received.flatMap((each) => failed(each, from, address)));
    const after = await Promise.all(receivers.map(look));
    refuse(after.flatMap((each) => (hasImage(each, sender) ? [] : [notWhole(each, image.tag)])));
    return { sent: [...lacking], bytes, seconds: Math.round(progress.seconds()) };
}

interface Transfer {
    readonly from: GroupNode;
    readonly address: string;
    readonly receivers: readonly GroupNode[];
    readonly image: ImagePlan;
    readonly signal: AbortSignal;
}

async function send(
    { from, address, receivers, image, signal }: Transfer,
    leaveOut: readonly string[],
    progress: Progress,
) {
    const to = receivers.map(({ name }) => name).join(", ");
    const part =
        leaveOut.length === 0 ? "" : `, less ${String(leaveOut.length)} layers that are there`;
    progress.say(from.name, `sends ${image.tag} to ${to} over ${address}${part}`);
    let begun = 0;
    let bytes = 0;
    const received = await sendStream({
        ...{ sender: from, address, receivers, leaveOut, timeoutSeconds, signal },
        send: ["docker", "save", image.tag],
        // Docker compares each layer with its digest, and the image's own digest holds those of the layers.
        receive: ["docker", "load", "--quiet"],
        onSent: (count) => {
            if (bytes === 0) begun = progress.seconds();
            bytes = count;
            progress.tick(
                from.name,
                `${show(bytes)} sent, ${show(bytes / Math.max(1, progress.seconds() - begun))}/s`,
            );
        },
    });
    progress.say(
        from.name,
        `${show(bytes)} sent in ${String(Math.round(progress.seconds() - begun))} s`,
    );
    return { received, bytes };
}

function show(bytes: number): string {
    return bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

function refuse(issues: readonly Issue[]): void {
    if (issues.length > 0) throw new RecipeError(issues, closing);
}

function failed({ node, joined, error }: Received, from: GroupNode, address: string): Issue[] {
    if (error === undefined) return [];
    return [
        {
            code: joined ? "image" : "fabric",
            severity: "error",
            file: node,
            path: "",
            problem: `the image of ${from.name} did not arrive whole: ${error}`,
            expected: "the image from the first node, over the fabric",
            fix: `\`ping ${address}\` on ${node} shows whether the fabric works; then \`pulumi up\``,
        },
    ];
}

function notWhole({ node, image }: ImageLook, tag: string): Issue {
    return {
        code: "image",
        severity: "error",
        file: node,
        path: "",
        problem:
            image === null
                ? `${tag} is not there after it was sent`
                : `${tag} has other layers than it was sent with`,
        expected: "the image of the first node",
        fix: "find out who changes images there, then run `pulumi up` again",
    };
}
