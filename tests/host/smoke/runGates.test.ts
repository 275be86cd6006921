import { runGates } from "../../../components/host/smoke/smoke";
import { completed, contextOf, fakeApi, said, streamed } from "./fakeApi";

const stream = streamed({ choices: [{ text: "a" }] }, { choices: [{ text: "b" }] }, "[DONE]");
const gates = [{ kind: "text" as const }, { kind: "streaming" as const }];

test("every gate runs, and all that fail are told", async () => {
    const lines: string[] = [];
    const { api } = fakeApi({
        "/v1/chat/completions": [said({ content: "" }), { status: 500, body: { error: "broken" } }],
        "/v1/completions": [completed("x")],
    });
    const { results, failures } = await runGates(contextOf(api, { gates }), (text) => {
        lines.push(text);
    });
    expect(results).toEqual([]);
    expect(failures.map(({ gate, error }) => [gate, (error as Error).message])).toEqual([
        ["text", "/v1/chat/completions answers 500: broken"],
        ["streaming", "a stream of /v1/chat/completions answers 500: broken"],
    ]);
    expect(lines).toEqual(["gate text: failed", "gate streaming: failed"]);
});

test("what the text gate finds out of chats holds for the others", async () => {
    const { api } = fakeApi({
        "/v1/chat/completions": [{ status: 400, body: { error: { message: "no chat template" } } }],
        "/v1/completions": [completed("x"), stream],
    });
    const { results, failures } = await runGates(contextOf(api, { gates }), () => undefined);
    expect(failures).toEqual([]);
    expect(results).toMatchObject([
        { gate: "text", tokens: 5, note: "the model has no chat template: completions alone" },
        { gate: "streaming", tokens: 2 },
    ]);
});

test("an API that does not answer is asked once", async () => {
    const api = () => Promise.reject(new Error("no whole answer within 5 s"));
    const { failures } = await runGates(contextOf(api, { gates }), () => undefined);
    expect(failures.map(({ gate }) => gate)).toEqual(["text"]);
});
