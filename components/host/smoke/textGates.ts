import { type Answer, errorWords, readAnswer, readStream } from "./answer";
import { type GateContext, GateFailure, type Passed } from "./gate";
import { answerTokens } from "./modelLength";

type Content = string | readonly object[];

/** A chat of one message. */
export async function chat(
    context: GateContext,
    content: Content,
    more: object = {},
): Promise<Answer> {
    const { api, model, timeoutSeconds, signal } = context;
    const answer = await api({
        path: "/v1/chat/completions",
        body: {
            model,
            messages: [{ role: "user", content }],
            max_tokens: answerTokens(context),
            temperature: 0,
            ...more,
        },
        timeoutSeconds,
        ...(signal === undefined ? {} : { signal }),
    });
    return readAnswer(answer, "/v1/chat/completions");
}

/** A bare completion. */
export async function complete(
    context: GateContext,
    prompt: string,
    maxTokens: number,
): Promise<Answer> {
    const { api, model, timeoutSeconds, signal } = context;
    const answer = await api({
        path: "/v1/completions",
        body: { model, prompt, max_tokens: answerTokens(context, maxTokens), temperature: 0 },
        timeoutSeconds,
        ...(signal === undefined ? {} : { signal }),
    });
    return readAnswer(answer, "/v1/completions");
}

/**
 * Whether the chat endpoint works at all: a model without a chat template has none, and says so with a 400.
 *
 * Throws GateFailure for any other refusal.
 */
export async function findChat(context: GateContext): Promise<boolean> {
    const { api, model, timeoutSeconds } = context;
    const body = { model, messages: [{ role: "user", content: "Hello" }], max_tokens: 1 };
    const answer = await api({ path: "/v1/chat/completions", body, timeoutSeconds });
    const absent =
        answer.status === 404 ||
        (answer.status === 400 && /chat template/i.test(errorWords(answer.body)));
    if (absent) return false;
    readAnswer(answer, "/v1/chat/completions");
    return true;
}

function mustSay(text: string, what: string): void {
    if (/\S/.test(text)) return;
    throw new GateFailure(`${what} came back with tokens, but without a word`, "text");
}

/** A completion, and a chat where the model has a template for it. */
export async function textGate(context: GateContext): Promise<Passed> {
    const bare = await complete(context, "The capital of France is", 16);
    mustSay(bare.text, "/v1/completions");
    if (!context.chat) {
        return {
            tokens: bare.completionTokens,
            note: "the model has no chat template: completions alone",
        };
    }
    const answer = await chat(context, "Say hello in one short sentence.");
    mustSay(answer.text, "/v1/chat/completions");
    return { tokens: bare.completionTokens + answer.completionTokens };
}

/** A stream: several parts, and its end. */
export async function streamingGate(context: GateContext): Promise<Passed> {
    const { api, model, timeoutSeconds, signal } = context;
    const asked = "Count from one to twenty, in words.";
    const path = context.chat ? "/v1/chat/completions" : "/v1/completions";
    const started = Date.now();
    let firstSeconds: number | undefined;
    const answer = await api({
        path,
        body: {
            model,
            ...(context.chat
                ? { messages: [{ role: "user", content: asked }] }
                : { prompt: asked }),
            max_tokens: answerTokens(context, 128),
            temperature: 0,
            stream: true,
            stream_options: { include_usage: true },
        },
        timeoutSeconds,
        onChunk: () => (firstSeconds ??= (Date.now() - started) / 1000),
        ...(signal === undefined ? {} : { signal }),
    });
    const { parts, done, completionTokens } = readStream(answer, `a stream of ${path}`);
    if (!done) throw new GateFailure("the stream broke off", "data: [DONE] as its last event");
    if (parts < 2) {
        const came = `${String(parts)} part${parts === 1 ? "" : "s"} of ${String(completionTokens)} tokens`;
        throw new GateFailure(`the stream came in ${came}`, "text part by part, as it is made");
    }
    return {
        tokens: completionTokens,
        note: `first part after ${(firstSeconds ?? 0).toFixed(2)} s`,
    };
}
