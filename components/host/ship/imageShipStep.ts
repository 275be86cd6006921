import { type Issue, RecipeError } from "../../issue";
import type { ImagePlan } from "../../plan";
import type { GroupNode } from "../group";
import { imageIssues } from "../imageCheck";
import { type ImageLook, lookAtImage } from "../imageLook";
import { type Progress, startProgress } from "../progress";
import { shipImage, type ShipOptions } from "./shipImage";
import { hasImage, roomIssues } from "./shipPlan";
import type { Taken } from "./takeImage";

export interface ImageShipInput {
    /** Rank 0 first: it has the image. */
    readonly nodes: readonly (GroupNode & { readonly fabric?: { readonly address: string } })[];
    readonly image: ImagePlan;
    /** Label of the throw-away container. */
    readonly owner: string;
}

/** An image of 60 GB at 30 MB/s, a slow disk. */
const timeoutSeconds = 2000;
const closing = "Nothing that serves was stopped; the next `pulumi up` sends what is missing.";

/**
 * Gives every node the first node's image, over the fabric: only the layers that a node's Docker does not know. Who has
 * the image already is sent nothing. Throws RecipeError when a node did not get it whole.
 */
export async function imageShipStep(
    { nodes, image, owner }: ImageShipInput,
    signal: AbortSignal,
): Promise<object> {
    const progress = startProgress((line) => process.stderr.write(`${line}\n`));
    const look = (node: GroupNode) => lookAtImage(node, image.tag, signal, "layers");
    const [sender, ...others] = await Promise.all(nodes.map(look));
    const [from] = nodes;
    if (sender === undefined || from === undefined) return { sent: [] };
    refuse(imageIssues([sender], image));
    const lacking = others.filter((each) => !hasImage(each, sender));
    if (lacking.length === 0) return { sent: [] };
    const names = lacking.map(({ node }) => node);
    const receivers = nodes.filter(({ name }) => names.includes(name));
    const address = from.fabric?.address ?? "";
    const id = sender.image?.id ?? "";
    const bytes = new Map(names.map((name) => [name, 0]));
    const taken = await shipImage({
        ...{ sender: from, address, image: { tag: image.tag, id }, owner, receivers },
        ...{ timeoutSeconds, signal },
        onOffer: (offer) => {
            refuse(roomIssues(sender, lacking, offer));
            progress.say(from.name, `sends ${image.tag} to ${names.join(", ")} over ${address}`);
        },
        ...shown(progress, bytes),
    });
    refuse(taken.flatMap((each) => failed(each, from, { address, tag: image.tag })));
    const after = await Promise.all(receivers.map(look));
    refuse(after.flatMap((each) => (hasImage(each, sender) ? [] : [notWhole(each, image.tag)])));
    const seconds = Math.round(progress.seconds());
    progress.say("", `${names.join(", ")}: whole after ${String(seconds)} s`);
    return { sent: names, bytes: Math.max(...bytes.values()), seconds };
}

/** Bytes with their rate and unpacked layers, a line a second. */
function shown(
    progress: Progress,
    bytes: Map<string, number>,
): Pick<ShipOptions, "onSent" | "onLayers"> {
    const begun = new Map<string, number>();
    return {
        onSent: (node, count) => {
            const since = begun.get(node) ?? progress.seconds();
            begun.set(node, since);
            bytes.set(node, count);
            const rate = count / Math.max(1, progress.seconds() - since);
            progress.tick(node, `${show(count)} came, ${show(rate)}/s`, "bytes");
        },
        onLayers: (node, done, known) => {
            progress.tick(node, `${String(done)} of ${String(known)} layers there`, "layers");
        },
    };
}

function show(bytes: number): string {
    return bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

function refuse(issues: readonly Issue[]): void {
    if (issues.length > 0) throw new RecipeError(issues, closing);
}

function failed(
    { node, reached, error }: Taken,
    from: GroupNode,
    { address, tag }: { readonly address: string; readonly tag: string },
): Issue[] {
    if (error === undefined) return [];
    return [
        {
            code: reached ? "image" : "fabric",
            severity: "error",
            file: node,
            path: "",
            problem: `the image of ${from.name} did not arrive whole: ${error}`,
            expected: "the image from the first node, over the fabric",
            fix: reached
                ? `\`pulumi up\` sends it again; should that end alike, \`docker image rm ${tag}\` on ${from.name}, and the next \`pulumi up\` says how it is made anew`
                : `\`ping ${address}\` on ${node} shows whether the fabric works; then \`pulumi up\``,
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
                : `${tag} is another than was sent`,
        expected: "the image of the first node",
        fix: "find out who changes images there, then run `pulumi up` again",
    };
}
