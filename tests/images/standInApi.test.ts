import { png } from "../standin/png";
import { Bench } from "../standin/ranks";

const tools = ["--enable-auto-tool-choice", "--tool-call-parser", "deepseek_v4"];
const args = [
    ...tools,
    "--api-key",
    "s3cret",
    "--limit-mm-per-prompt",
    '{"image":1}',
    "--max-model-len",
    "1000",
];
const key = { authorization: "Bearer s3cret" };

let bench: Bench;
beforeAll(async () => {
    bench = await Bench.make();
    await bench.serving(1, { args });
}, 30_000);
afterAll(() => {
    bench.end();
});

const chat = (body: object) => bench.post("/v1/chat/completions", { model: "lab", ...body }, key);
const says = (content: unknown) => ({ messages: [{ role: "user", content }] });
const picture = (red: number, green: number, blue: number) => ({
    type: "image_url",
    image_url: { url: `data:image/png;base64,${png(40, 28, [red, green, blue])}` },
});

test.each([
    ["/health", ""],
    ["/ping", ""],
    ["/version", '{"version": "0.32.0"}'],
])("%s needs no key", async (where, body) => {
    const answer = await bench.get(where);
    expect([answer.status, await answer.text()]).toEqual([200, body]);
});

test.each([
    ["no key", {}],
    ["a wrong key", { authorization: "Bearer other" }],
    ["another scheme", { authorization: "Basic s3cret" }],
])("/v1 with %s: 401", async (_, headers) => {
    const answer = await bench.get("/v1/models", headers);
    expect([answer.status, await answer.json()]).toEqual([401, { error: "Unauthorized" }]);
});

test("a chat answers what it was asked, the same each time", async () => {
    const [one, two] = await Promise.all([chat(says("Say hello")), chat(says("Say hello"))]);
    const { choices, usage } = (await one.json()) as { choices: unknown; usage: unknown };
    expect(choices).toMatchObject([
        {
            message: {
                role: "assistant",
                content: expect.stringMatching(/^stand-in [0-9a-f]{8} read: Say hello$/) as string,
            },
            finish_reason: "stop",
        },
    ]);
    expect(await two.json()).toMatchObject({ choices, usage });
});

test.each([
    [[250, 10, 20], "mostly red (mean #fa0a14)"],
    [[0, 0, 200], "mostly blue (mean #0000c8)"],
] as const)("an image of %p is seen", async ([red, green, blue], words) => {
    const answer = await chat(
        says([{ type: "text", text: "What colour?" }, picture(red, green, blue)]),
    );
    expect(await answer.json()).toMatchObject({
        choices: [
            {
                message: {
                    content: expect.stringContaining(
                        `Image 1 is 40x28 pixels, ${words}.`,
                    ) as string,
                },
            },
        ],
        usage: { prompt_tokens: 8 },
    });
});

test.each([
    [
        "too many images",
        says([picture(1, 1, 1), picture(1, 1, 1)]),
        400,
        "At most 1 image(s) may be provided",
    ],
    [
        "no image",
        says([{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }]),
        400,
        "cannot identify image file",
    ],
    ["another model", { model: "other", ...says("x") }, 404, "The model `other` does not exist."],
    [
        "a prompt that is too long",
        says("x ".repeat(1001)),
        400,
        "maximum context length is 1000 tokens",
    ],
    [
        "no token wanted",
        { ...says("x"), max_tokens: 0 },
        400,
        "max_tokens must be at least 1, got 0.",
    ],
])("%s is refused", async (_, body, code, message) => {
    const answer = await chat(body);
    expect(answer.status).toBe(code);
    expect(await answer.json()).toMatchObject({
        error: { code, message: expect.stringContaining(message) as string },
    });
});

test("a tool is called with arguments of its schema", async () => {
    const parameters = { properties: { city: { type: "string" }, days: { type: "integer" } } };
    const tool = { type: "function", function: { name: "weather", parameters } };
    const answer = await chat({ ...says("Paris"), tools: [tool] });
    expect(await answer.json()).toMatchObject({
        choices: [
            {
                message: {
                    content: null,
                    tool_calls: [
                        {
                            type: "function",
                            function: {
                                name: "weather",
                                arguments: '{"city": "Paris", "days": 1}',
                            },
                        },
                    ],
                },
                finish_reason: "tool_calls",
            },
        ],
    });
});

test("a stream holds the same text, then usage and [DONE]", async () => {
    const whole = (await (await chat(says("Say hello"))).json()) as {
        choices: [{ message: { content: string } }];
    };
    const answer = await chat({
        ...says("Say hello"),
        stream: true,
        stream_options: { include_usage: true },
    });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = (await answer.text()).split("\n\n").filter((event) => event !== "");
    expect(events.at(-1)).toBe("data: [DONE]");
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice(6)) as Chunk);
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(text).toBe(whole.choices[0].message.content);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunks.at(-1)).toMatchObject({
        choices: [],
        usage: { completion_tokens: chunks.length - 3 },
    });
});

interface Chunk {
    readonly choices: readonly { delta: { content?: string }; finish_reason: string | null }[];
}

test("metrics count what was done", async () => {
    const count = async (name: string): Promise<number> => {
        const text = await (await bench.get("/metrics")).text();
        return Number(
            new RegExp(`^${name}\\{[^}]*model_name="lab"[^}]*\\} (\\S+)$`, "m").exec(text)?.[1],
        );
    };
    const before = await count("vllm:generation_tokens_total");
    await bench.post("/v1/completions", { prompt: "one two", max_tokens: 4 }, key);
    expect(await count("vllm:generation_tokens_total")).toBe(before + 4);
    for (const name of ["num_requests_running", "num_requests_waiting", "kv_cache_usage_perc"]) {
        expect(await count(`vllm:${name}`)).toBe(0);
    }
});
