import { planStack } from "../../components/plan";
import { image, seedInput, seedWith } from "./seed";

const kinds = (input: ReturnType<typeof seedInput>) => planStack(input).smoke;
const seed = seedInput();
const { args } = seed.recipe;
const without = (flag: string) => args.filter((word) => word !== flag);
const launch = (change: object) => ({ launch: { ...seed.cluster.launch, ...change } });
const limited = (value: string) =>
    args.map((word, at) => (args[at - 1] === "--limit-mm-per-prompt" ? value : word));

const text = { kind: "text" };
const streaming = { kind: "streaming" };
const tool = { kind: "tool-call", choice: "auto" };
const picture = { kind: "image", placeholder: "<｜deepseek_image｜>", maxTokensPerImage: 384 };

test.each<[string, ReturnType<typeof seedInput>, readonly object[]]>([
    ["the seed", seed, [text, streaming, tool, picture]],
    [
        "a tool parser without auto choice",
        seedWith({ args: without("--enable-auto-tool-choice") }),
        [text, streaming, { kind: "tool-call", choice: "named" }, picture],
    ],
    ["no arguments", seedWith({ args: [] }), [text, streaming, picture]],
    [
        "an image that sees nothing",
        { ...seed, image: { ...image, smoke: {} } },
        [text, streaming, tool],
    ],
    ["an image that we do not build", { ...seed, image: null }, [text, streaming, tool]],
    ["images limited to none", seedWith({ args: limited('{"image":0}') }), [text, streaming, tool]],
    [
        "images limited to none, at length",
        seedWith({ args: limited('{"image":{"count":0}}') }),
        [text, streaming, tool],
    ],
    [
        "the language model alone",
        seedWith({ args: [...args, "--language-model-only"] }),
        [text, streaming, tool],
    ],
    [
        "a long prompt and a soak",
        seedWith({ args: [] }, launch({ longPromptFraction: 0.5, soakMinutes: 10 })),
        [
            text,
            streaming,
            picture,
            { kind: "long-prompt", fraction: 0.5 },
            { kind: "soak", minutes: 10 },
        ],
    ],
])("gates of %s", (_, input, expected) => {
    expect(kinds(input)).toEqual(expected);
});

test("neither gates nor figures are part of the group", () => {
    const { group } = planStack(seed);
    expect(planStack({ ...seed, image: { ...image, smoke: {} } }).group).toBe(group);
    expect(planStack(seedWith({}, launch({ soakMinutes: 1 }))).group).toBe(group);
});
