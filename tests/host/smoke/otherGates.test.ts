import { imageGate } from "../../../components/host/smoke/imageGate";
import { longPromptGate } from "../../../components/host/smoke/longPromptGate";
import { soakGate } from "../../../components/host/smoke/soakGate";
import { toolGate } from "../../../components/host/smoke/toolGate";
import { completed, contextOf, fakeApi, said } from "./fakeApi";

const called = (name: string, json: string) =>
    said({ content: null, tool_calls: [{ function: { name, arguments: json } }] });

test.each([
    ["auto" as const, "auto"],
    ["named" as const, { type: "function", function: { name: "get_weather" } }],
])("tool call, %s", async (choice, asked) => {
    const reply = called("get_weather", '{"city":"Paris"}');
    const { api, requests } = fakeApi({ "/v1/chat/completions": [reply] });
    expect(await toolGate(contextOf(api), choice)).toEqual({ tokens: 5 });
    expect(requests[0]?.body).toMatchObject({ tool_choice: asked });
});

test.each([
    [said({ content: "It is sunny." }), "no tool call, but text: It is sunny."],
    [called("get_weather", "{}"), "the call is get_weather({})"],
    [called("get_weather", '{"city":'), 'the call is get_weather({"city":)'],
    [called("other", '{"city":"Paris"}'), 'the call is other({"city":"Paris"})'],
])("tool call fails: %j", async (reply, problem) => {
    const { api } = fakeApi({ "/v1/chat/completions": [reply] });
    await expect(toolGate(contextOf(api), "auto")).rejects.toMatchObject({ problem });
});

const vision = { placeholder: "<image>", maxTokensPerImage: 384 };
const imageApi = (answer: string, cost: number) =>
    fakeApi({
        "/v1/chat/completions": [
            said({ content: "x" }, 20, 1),
            said({ content: answer }, 20 + cost),
        ],
        "/tokenize": [{ body: { count: 6 } }],
    }).api;

test("image: the colour is named, the cost is an image's", async () => {
    expect(await imageGate(contextOf(imageApi("Red.", 384)), vision)).toEqual({
        tokens: 5,
        note: "an image costs 384 tokens",
    });
});

test.each([
    ["Blue", 384, "of a red image the model says: Blue"],
    ["hundred", 384, "of a red image the model says: hundred"],
    ["Red", 401, "an image of 1024 x 1024 costs 401 prompt tokens"],
    ["Red", 6, "an image costs 6 prompt tokens: the placeholder <image> was not replaced"],
])("image fails: %s at %i tokens", async (answer, cost, problem) => {
    await expect(imageGate(contextOf(imageApi(answer, cost)), vision)).rejects.toMatchObject({
        problem,
    });
});

const modelLength = 100_000;

test("long prompt: as long as the part that was asked for, with a time limit of its own", async () => {
    const { api, requests } = fakeApi({
        "/v1/completions": [completed("x", 1_000, 1), completed("x", 48_500, 8)],
    });
    expect(await longPromptGate(contextOf(api, { modelLength }), 0.5)).toEqual({
        tokens: 48_508,
        note: "a prompt of 48500 tokens, the model takes 100000",
    });
    const [, long] = requests;
    // 5 tokens a line, by the sample of 200 lines: 9,600 lines for 96 % of 50,000 tokens.
    const { prompt } = long?.body as { prompt: string };
    expect(prompt.split("\n")).toHaveLength(9_601);
    expect(long?.timeoutSeconds).toBe(50);
});

test("long prompt fails when the engine read less", async () => {
    const { api } = fakeApi({
        "/v1/completions": [completed("x", 1_000, 1), completed("x", 8_192, 8)],
    });
    await expect(longPromptGate(contextOf(api, { modelLength }), 0.5)).rejects.toMatchObject({
        problem: "of a prompt for 50000 tokens the engine counted 8192",
    });
});

test("long prompt fails when the API does not tell the length", async () => {
    await expect(longPromptGate(contextOf(fakeApi({}).api), 0.5)).rejects.toMatchObject({
        problem: "/v1/models does not tell max_model_len",
    });
});

test("soak: the mix is asked until the time is over", async () => {
    const { api, requests } = fakeApi({
        "/v1/completions": [completed("x", 10, 2)],
        "/v1/chat/completions": [said({ content: "x" }, 10, 2)],
    });
    const slow = async (request: Parameters<typeof api>[0]) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return api(request);
    };
    const gates = [{ kind: "image" as const, ...vision }];
    const { tokens, note } = await soakGate(contextOf(slow, { gates }), 0.3 / 60);
    expect(tokens).toBe(requests.length * 2);
    expect(requests.length).toBeGreaterThan(3);
    expect(note).toContain(`${String(requests.length)} requests`);
    const contents = requests.map(({ body }) => JSON.stringify(body).includes("image_url"));
    expect(contents).toContain(true);
});

test("soak ends with the first request that fails", async () => {
    const { api } = fakeApi({
        "/v1/completions": [completed("x"), { status: 500, body: { error: "out of memory" } }],
        "/v1/chat/completions": [said({ content: "x" })],
    });
    await expect(soakGate(contextOf(api), 1)).rejects.toMatchObject({
        problem: expect.stringMatching(
            /^request \d+ failed: \/v1\/completions answers 500: out of memory/,
        ) as string,
    });
});
