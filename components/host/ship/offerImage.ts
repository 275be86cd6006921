import { type Issue, RecipeError } from "../../issue";
import type { GroupNode } from "../group";
import { lastLine } from "../lastLine";
import { runScript } from "../ssh";
import contentProgram from "./imageContent.py";
import serveProgram from "./serve.py";
import serveScript from "./serve.sh";

/** What the sender of an image tells. */
type SenderEvent =
    | ({ readonly kind: "listening" } & Offer)
    | { readonly kind: "sent"; readonly node: string; readonly bytes: number }
    | ({ readonly kind: "lost"; readonly node: string } & Loss)
    | { readonly kind: "failed"; readonly why: "store" };

/** Why a receiver does not get the image, as the sender sees it. */
export interface Loss {
    readonly why: string;
    /** Whether it could be reached; the sender cannot read the image, then. */
    readonly reached: boolean;
}

export interface Offer {
    /** Of the sender, on its fabric address. */
    readonly port: number;
    /** By which a Docker asks for the image; it compares all that comes of it. */
    readonly digest: string;
    /** Bytes of each layer as it is sent, lowest first. */
    readonly layers: readonly number[];
    /** Whether layers are sent compressed. */
    readonly packed: boolean;
}

export interface OfferOptions {
    readonly sender: GroupNode;
    /** The sender's address on the fabric: it listens there and nowhere else. */
    readonly address: string;
    /** Name and id of the image, as the sender's Docker has them. */
    readonly image: { readonly tag: string; readonly id: string };
    /** Label of the throw-away container. */
    readonly owner: string;
    /** One-time token -> name of the node that may use it. */
    readonly tokens: Readonly<Record<string, string>>;
    /** A receiver that takes nothing for this long is given up. */
    readonly stallSeconds: number;
    readonly onSent: (node: string, bytes: number) => void;
    readonly onLost: (node: string, loss: Loss) => void;
    /** Ends the offer. */
    readonly signal: AbortSignal;
}

/**
 * Offers one image of a node to others over the fabric, until the signal. Resolves once it listens; `ended` settles
 * when its container is gone. Throws RecipeError when it cannot be offered.
 */
export function offerImage(
    options: OfferOptions,
): Promise<Offer & { readonly ended: Promise<void> }> {
    const { sender, address, image, owner, tokens, stallSeconds, signal } = options;
    const program = `${contentProgram}\n${serveProgram}`;
    const order = { program, sender: sender.name, address, image: image.id, tokens, stallSeconds };
    let words = "";
    return new Promise((resolve, reject) => {
        const run = runScript(sender, serveScript, {
            args: [owner, image.tag],
            input: `${JSON.stringify(order)}\n`,
            signal,
            onLine: (line, stream) => {
                if (stream !== "stdout" || !line.startsWith('{"kind"')) return;
                const event = JSON.parse(line) as SenderEvent;
                if (event.kind === "listening") resolve({ ...event, ended });
                if (event.kind === "sent") options.onSent(event.node, event.bytes);
                if (event.kind === "lost") options.onLost(event.node, event);
                if (event.kind === "failed") words = event.why;
            },
        });
        const ended = run.then(nothing, nothing);
        // Before it listens, its end is a failure; afterwards it is nobody's news.
        run.then(({ code, stderr }) => {
            reject(notOffered(options, code, words || lastLine(stderr)));
        }, reject);
    });
}

/** True wherever an offer fails: it comes before anything is sent. */
const nothingChanged = "Nothing was sent, and nothing that serves was stopped.";

function notOffered(
    { sender, image, address }: OfferOptions,
    code: number,
    words: string,
): RecipeError {
    const refused = (text: Pick<Issue, "problem" | "expected" | "fix">) =>
        new RecipeError(
            [{ code: "image", severity: "error", file: sender.name, path: "", ...text }],
            nothingChanged,
        );
    if (code === 77) {
        return refused({
            problem: `${image.tag} has no Python, which hands it to the other nodes`,
            expected: "an image with Python; vLLM needs it too",
            fix: "correct the image's base, or set image.strategy: per-node",
        });
    }
    if (words === "store") {
        return refused({
            problem: "Docker keeps its images in another way than overlay2 or containerd's",
            expected: "one of those, to send an image from here",
            fix: "`docker info` shows the storage driver; image.strategy: per-node takes any",
        });
    }
    return refused({
        problem: `${image.tag} cannot be sent (code ${String(code)}): ${words}`,
        expected: `a throw-away container of the image to start and to listen on ${address}`,
        fix: `see that nodes[].fabric.address is this node's own; try \`docker run --rm --entrypoint python3 ${image.tag} -V\` there`,
    });
}

const nothing = () => undefined;
