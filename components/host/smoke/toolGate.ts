import { type GateContext, GateFailure, type Passed } from "./gate";
import { chat } from "./textGates";

const name = "get_weather";
const tool = {
    type: "function",
    function: {
        name,
        description: "The weather in a city now",
        parameters: {
            type: "object",
            properties: { city: { type: "string", description: "the city's name" } },
            required: ["city"],
        },
    },
};

/** A question that needs a tool: the parser must make a call of what the model writes. */
export async function toolGate(context: GateContext, choice: "auto" | "named"): Promise<Passed> {
    const asked = `What is the weather in Paris now? Call the tool ${name}.`;
    const answer = await chat(context, asked, {
        tools: [tool],
        tool_choice: choice === "auto" ? "auto" : { type: "function", function: { name } },
    });
    const [call] = answer.toolCalls;
    const expected = `a call of ${name} with a city`;
    if (call === undefined) {
        throw new GateFailure(`no tool call, but text: ${answer.text.slice(0, 200)}`, expected);
    }
    const said = `${call.name}(${call.arguments.slice(0, 200)})`;
    if (call.name !== name || cityOf(call.arguments) === undefined) {
        throw new GateFailure(`the call is ${said}`, expected);
    }
    return { tokens: answer.completionTokens };
}

function cityOf(json: string): string | undefined {
    try {
        const { city } = JSON.parse(json) as { city?: unknown };
        return typeof city === "string" && city !== "" ? city : undefined;
    } catch {
        return undefined;
    }
}
