import { findChat, streamingGate, textGate } from "../../../components/host/smoke/textGates";
import { completed, contextOf, fakeApi, said, streamed } from "./fakeApi";

const refused = (message: string, status = 400) => ({
    status,
    body: { error: { message, type: "BadRequestError", code: status } },
});
const noTemplate =
    "As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template";

test("text: a completion and a chat", async () => {
    const { api, requests } = fakeApi({
        "/v1/completions": [completed(" Paris", 6, 3)],
        "/v1/chat/completions": [said({ content: null, reasoning: "Let me greet." }, 6, 4)],
    });
    expect(await textGate(contextOf(api))).toEqual({ tokens: 7 });
    expect(requests.map(({ path, timeoutSeconds }) => [path, timeoutSeconds])).toEqual([
        ["/v1/completions", 5],
        ["/v1/chat/completions", 5],
    ]);
});

test.each([
    [completed(" \n"), "/v1/completions came back with tokens, but without a word"],
    [completed("x", 6, 0), "/v1/completions came back without a token"],
    [refused("EngineCore", 500), "/v1/completions answers 500: EngineCore"],
    [{ body: "<html>" }, "/v1/completions answers no JSON: <html>"],
])("text fails: %j", async (reply, problem) => {
    const { api } = fakeApi({ "/v1/completions": [reply] });
    await expect(textGate(contextOf(api))).rejects.toMatchObject({ problem });
});

test("a model without a chat template is told apart, and completions are enough for it", async () => {
    const { api } = fakeApi({
        "/v1/chat/completions": [refused(noTemplate)],
        "/v1/completions": [completed("x")],
    });
    expect(await findChat(contextOf(api))).toBe(false);
    expect(await textGate(contextOf(api, { chat: false }))).toEqual({
        tokens: 5,
        note: "the model has no chat template: completions alone",
    });
});

test("any other refusal of a chat is a failure", async () => {
    const { api } = fakeApi({ "/v1/chat/completions": [refused("bad request")] });
    await expect(findChat(contextOf(api))).rejects.toMatchObject({
        problem: "/v1/chat/completions answers 400: bad request",
    });
});

const delta = (content: string) => ({ choices: [{ delta: { content } }] });
const usage = { choices: [], usage: { completion_tokens: 9 } };

test("streaming: several parts and the end", async () => {
    const stream = streamed(
        { choices: [{ delta: { role: "assistant", content: "" } }] },
        { choices: [{ delta: { reasoning_content: "well" } }] },
        delta("one"),
        usage,
        "[DONE]",
    );
    const { api } = fakeApi({ "/v1/chat/completions": [stream] });
    expect(await streamingGate(contextOf(api))).toMatchObject({ tokens: 9 });
});

test("streaming without a chat template", async () => {
    const stream = streamed({ choices: [{ text: "a" }] }, { choices: [{ text: "b" }] }, "[DONE]");
    const { api } = fakeApi({ "/v1/completions": [stream] });
    expect(await streamingGate(contextOf(api, { chat: false }))).toMatchObject({ tokens: 2 });
});

test.each([
    [streamed(delta("a"), delta("b")), "the stream broke off"],
    [streamed(delta("ab"), usage, "[DONE]"), "the stream came in 1 part of 9 tokens"],
    [
        streamed(delta("a"), { error: { message: "EngineCore died" } }, "[DONE]"),
        "a stream of /v1/chat/completions ends in an error: EngineCore died",
    ],
    [refused("no", 500), "a stream of /v1/chat/completions answers 500: no"],
])("streaming fails: %#", async (reply, problem) => {
    const { api } = fakeApi({ "/v1/chat/completions": [reply] });
    await expect(streamingGate(contextOf(api))).rejects.toMatchObject({ problem });
});
