import { randomBytes } from "node:crypto";

import type { GroupNode } from "../group";
import { type Loss, offerImage, type Offer, type OfferOptions } from "./offerImage";
import { type Taken, takeImage } from "./takeImage";

export interface ShipOptions extends Pick<
    OfferOptions,
    "sender" | "address" | "image" | "owner" | "signal"
> {
    readonly receivers: readonly GroupNode[];
    /** For each receiver. */
    readonly timeoutSeconds: number;
    /** Default 60. */
    readonly stallSeconds?: number;
    /** Before anything is sent; may throw. */
    readonly onOffer?: (offer: Offer) => void;
    /** Bytes sent to a node so far, about once a second. */
    readonly onSent?: (node: string, bytes: number) => void;
    readonly onLayers?: (node: string, done: number, known: number) => void;
}

/**
 * Brings one image from one node to others over the fabric; nothing passes through this machine. Each receiver's
 * own Docker pulls it from a throw-away registry, by a digest that comes from here over ssh, so what it takes is what
 * was offered. A one-time token a receiver keeps others out. Nothing listens or runs any more when this ends.
 */
export async function shipImage(options: ShipOptions): Promise<readonly Taken[]> {
    const { receivers, stallSeconds = 60 } = options;
    const each = receivers.map((node) => ({
        node,
        token: randomBytes(32).toString("hex"),
        end: new AbortController(),
    }));
    const lost = new Map<string, Loss>();
    const over = new AbortController();
    const offer = await offerImage({
        ...options,
        tokens: Object.fromEntries(each.map(({ node, token }) => [token, node.name])),
        stallSeconds,
        onSent: options.onSent ?? nothing,
        // Its own end may have a better reason; one that hangs has none.
        onLost: (name, loss) => {
            lost.set(name, loss);
            const hanging = each.find(({ node }) => node.name === name);
            setTimeout(() => hanging?.end.abort(new Error(loss.why)), 5000).unref();
        },
        signal: AbortSignal.any([options.signal, over.signal]),
    });
    try {
        options.onOffer?.(offer);
        const taken = await Promise.all(
            each.map(({ node, token, end }) =>
                takeImage(node, {
                    ...{ ...offer, address: options.address, tag: options.image.tag, token },
                    timeoutSeconds: options.timeoutSeconds,
                    onLayers: (done, known) => options.onLayers?.(node.name, done, known),
                    signal: AbortSignal.any([options.signal, end.signal]),
                }),
            ),
        );
        options.signal.throwIfAborted();
        return taken.map((one) => withReason(one, lost.get(one.node)));
    } finally {
        over.abort(new Error("the transfer has ended"));
        await offer.ended;
    }
}

/** A receiver that was given up knows nothing better than that. */
function withReason(taken: Taken, loss: Loss | undefined): Taken {
    return taken.error === undefined || loss === undefined
        ? taken
        : { ...taken, reached: loss.reached, error: loss.why };
}

const nothing = () => undefined;
