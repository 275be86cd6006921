import { answerTokens, findModelLength } from "../../../components/host/smoke/modelLength";
import { runGates } from "../../../components/host/smoke/smoke";
import { completed, contextOf, fakeApi, type Reply, said, streamed } from "./fakeApi";

const models = (length?: number | null): Reply => ({
    body: {
        data: [
            { id: "other", max_model_len: 7 },
            { id: "m", max_model_len: length },
        ],
    },
});

test.each<[string, Reply, number]>([
    ["the served name's own", models(512), 512],
    ["none told", models(null), Infinity],
    ["no such field", models(), Infinity],
    ["no such path", { status: 404, body: { detail: "Not Found" } }, Infinity],
    ["not JSON", { body: "<html>" }, Infinity],
    ["JSON of another shape", { body: { object: "list" } }, Infinity],
])("the model's length: %s", async (_, reply, length) => {
    const { api } = fakeApi({ "/v1/models": [reply] });
    expect(await findModelLength(contextOf(api))).toBe(length);
});

test.each([
    [Infinity, undefined, 1024],
    [512, undefined, 256],
    [512, 128, 128],
    [1, 128, 1],
])("a model of %d tokens, %p wanted: asks for %i", (modelLength, wanted, tokens) => {
    expect(answerTokens(contextOf(fakeApi({}).api, { modelLength }), wanted)).toBe(tokens);
});

test("the gates ask a small model for no more than it takes", async () => {
    const { api, requests } = fakeApi({
        "/v1/models": [models(128)],
        "/v1/completions": [completed("x")],
        "/v1/chat/completions": [
            said({ content: "x" }),
            streamed({ choices: [{ delta: { content: "x" } }] }, "[DONE]"),
        ],
    });
    const gates = [{ kind: "text" as const }, { kind: "streaming" as const }];
    await runGates(contextOf(api, { gates }), () => undefined);
    const asked = requests.flatMap(({ body }) =>
        body === undefined ? [] : [(body as { max_tokens: number }).max_tokens],
    );
    expect(asked.length).toBeGreaterThan(1);
    expect(Math.max(...asked)).toBeLessThanOrEqual(64);
});
