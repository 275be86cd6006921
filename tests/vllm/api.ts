import { httpOverSsh } from "../../components/host";
import { labConfig, labNodes } from "../engine/lab";

export interface Answer {
    readonly status: number;
    readonly body: string;
    readonly seconds: number;
}

/** Asks the head's API, from the head itself; without a body it is a GET. Throws when nothing answers. */
export async function ask(
    path: string,
    body?: Readonly<Record<string, unknown>>,
    timeoutSeconds = 60,
): Promise<Answer> {
    const [head = ""] = labNodes();
    const config = labConfig()["sshConfig"] as string;
    const started = Date.now();
    const { status, body: text } = await httpOverSsh(
        { name: head, ssh: { destination: head, config } },
        { host: "127.0.0.1", port: 8000 },
        {
            method: body === undefined ? "GET" : "POST",
            path,
            headers: { "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            timeoutSeconds,
        },
    );
    return { status, body: text, seconds: (Date.now() - started) / 1000 };
}

/** A text completion of the tiny model: always the same words for the same prompt. */
export function complete(tokens = 8, timeoutSeconds?: number): Promise<Answer> {
    const body = { model: "tiny-cpu", prompt: "Hello", max_tokens: tokens, temperature: 0 };
    return ask("/v1/completions", body, timeoutSeconds);
}

/** The first choice of a completion. */
export function textOf({ body }: Answer): string {
    const { choices } = JSON.parse(body) as { choices: { text: string }[] };
    return choices[0]?.text ?? "";
}
