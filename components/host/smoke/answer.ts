import type { HttpAnswer } from "../ssh";
import { GateFailure } from "./gate";

/** What a completion or a chat answered. */
export interface Answer {
    /** Content and reasoning: a reasoning model may spend all tokens before its answer. */
    readonly text: string;
    readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[];
    readonly promptTokens: number;
    readonly completionTokens: number;
}

interface Message {
    readonly content?: string | null;
    /** Newer and older name of the same. */
    readonly reasoning?: string | null;
    readonly reasoning_content?: string | null;
    readonly tool_calls?: readonly { function: { name: string; arguments: string } }[] | null;
}

interface Body {
    readonly choices?: readonly { text?: string; message?: Message; delta?: Message }[];
    readonly usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
    readonly error?: { message?: string } | string;
}

const longestSaid = 400;

/** The engine's own words in an answer that is an error. */
export function errorWords(body: string): string {
    try {
        const { error } = JSON.parse(body) as Body;
        const words = typeof error === "string" ? error : error?.message;
        return (words ?? body).slice(0, longestSaid);
    } catch {
        return body.slice(0, longestSaid);
    }
}

/** Throws GateFailure unless the API answered 200. */
export function mustBeOk({ status, body }: HttpAnswer, what: string): void {
    if (status === 200) return;
    throw new GateFailure(`${what} answers ${String(status)}: ${errorWords(body)}`, "status 200");
}

const spoken = (message: Message | undefined): string =>
    `${message?.reasoning ?? message?.reasoning_content ?? ""}${message?.content ?? ""}`;

/** Reads a whole answer. Throws GateFailure when it is none, or no token was made. */
export function readAnswer(answer: HttpAnswer, what: string): Answer {
    mustBeOk(answer, what);
    const { choices = [], usage } = parse(answer.body, what);
    const [choice] = choices;
    const completionTokens = usage?.completion_tokens ?? 0;
    if (completionTokens < 1) {
        throw new GateFailure(`${what} came back without a token`, "at least one token");
    }
    return {
        text: choice?.text ?? spoken(choice?.message),
        toolCalls: (choice?.message?.tool_calls ?? []).map((call) => call.function),
        promptTokens: usage?.prompt_tokens ?? 0,
        completionTokens,
    };
}

function parse(text: string, what: string): Body {
    try {
        return JSON.parse(text) as Body;
    } catch {
        const said = text.slice(0, longestSaid);
        throw new GateFailure(
            `${what} answers no JSON: ${said}`,
            "an answer as OpenAI's API has it",
        );
    }
}

/** A stream of server-sent events, read. */
export interface Streamed {
    readonly text: string;
    /** Events that brought text. */
    readonly parts: number;
    readonly done: boolean;
    readonly completionTokens: number;
}

/** Reads a stream's whole body. Throws GateFailure for an error within it. */
export function readStream(answer: HttpAnswer, what: string): Streamed {
    mustBeOk(answer, what);
    const events = answer.body
        .split(/\r?\n/)
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trim());
    const bodies = events.filter((data) => data !== "[DONE]").map((data) => parse(data, what));
    const failed = bodies.find(({ error }) => error !== undefined);
    if (failed !== undefined) {
        const words = errorWords(JSON.stringify(failed));
        throw new GateFailure(`${what} ends in an error: ${words}`, "a stream that ends in [DONE]");
    }
    const texts = bodies
        .map(({ choices }) => choices?.[0]?.text ?? spoken(choices?.[0]?.delta))
        .filter((text) => text !== "");
    return {
        text: texts.join(""),
        parts: texts.length,
        done: events.at(-1) === "[DONE]",
        completionTokens: bodies.at(-1)?.usage?.completion_tokens ?? texts.length,
    };
}
