import { type GateContext, GateFailure, type Passed } from "./gate";
import { solidPng } from "./solidPng";
import { chat } from "./textGates";

export interface Vision {
    readonly placeholder: string;
    readonly maxTokensPerImage: number;
}

/** Large enough that an image without a cap would cost more than any model's. */
const side = 1024;
/** Tokens around an image that are none of it: begin, end, a new line. */
const framing = 16;
const question = "Which colour fills this image? Answer with one word.";
const red = /\b(?:red|crimson|scarlet)\b|红/i;

/**
 * A picture of one colour: the answer must name it, and it must cost what an image of this model costs. An image
 * that the encoder left out, or put in as the placeholder's text, costs less.
 */
export async function imageGate(context: GateContext, vision: Vision): Promise<Passed> {
    const { maxTokensPerImage } = vision;
    const without = await chat(context, [{ type: "text", text: question }], { max_tokens: 1 });
    const answer = await chat(context, [...imageParts(), { type: "text", text: question }]);
    const cost = answer.promptTokens - without.promptTokens;
    const least = await placeholderTokens(context, vision);
    if (cost <= least) {
        throw new GateFailure(
            `an image costs ${String(cost)} prompt tokens: the placeholder ${vision.placeholder} was not replaced`,
            `more than the placeholder's own ${String(least)}`,
        );
    }
    if (cost > maxTokensPerImage + framing) {
        throw new GateFailure(
            `an image of ${String(side)} x ${String(side)} costs ${String(cost)} prompt tokens`,
            `at most ${String(maxTokensPerImage)} (vision.max_tokens_per_image)`,
        );
    }
    if (!red.test(answer.text)) {
        const said = answer.text.slice(0, 200);
        throw new GateFailure(`of a red image the model says: ${said}`, "the word red");
    }
    return { tokens: answer.completionTokens, note: `an image costs ${String(cost)} tokens` };
}

/** A red picture as a part of a message. */
export function imageParts(): readonly object[] {
    const url = `data:image/png;base64,${solidPng(side, [255, 0, 0]).toString("base64")}`;
    return [{ type: "image_url", image_url: { url } }];
}

/** Tokens of the placeholder as mere text; 1 where the engine does not tell. */
async function placeholderTokens(context: GateContext, { placeholder }: Vision): Promise<number> {
    const { api, model, timeoutSeconds } = context;
    const { status, body } = await api({
        path: "/tokenize",
        body: { model, prompt: placeholder, add_special_tokens: false },
        timeoutSeconds,
    });
    if (status !== 200) return 1;
    const { count } = JSON.parse(body) as { count?: number };
    return count ?? 1;
}
