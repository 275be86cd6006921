import { RecipeError } from "../issue";
import type { PullPlan } from "../plan";
import type { GroupNode } from "./group";
import pullScript from "./imagePull.sh";
import type { Progress } from "./progress";
import { pullIssue } from "./pullIssue";
import { runScript } from "./ssh";

/** Some 25 GB over a home's line. */
const timeoutSeconds = 6 * 3600;

export interface PullOptions {
    readonly platform: string;
    /** What the image is to be called; default: nothing more than its own name. */
    readonly tag?: string;
    readonly login?: PullPlan["login"];
    /** Of that login. */
    readonly password?: string;
    readonly progress: Progress;
    readonly signal: AbortSignal;
}

/**
 * Pulls one image on one node by the node's own Docker, unless it is there by that digest. A login goes over stdin and
 * is on the node only while Docker pulls. Throws RecipeError with what Docker said.
 */
export async function pullImage(
    node: GroupNode,
    image: string,
    { platform, tag, login, password, progress, signal }: PullOptions,
): Promise<void> {
    const layers = { known: new Set<string>(), done: new Set<string>() };
    const { code, stderr } = await runScript(node, pullScript, {
        args: [image, platform, tag ?? "-"],
        input: login === undefined ? "" : JSON.stringify(clientConfig(login, password ?? "")),
        timeoutSeconds,
        signal,
        onLine: (line) => {
            if (line === "pulls") progress.say(node.name, `pulls ${image}`);
            const [, layer, what = ""] = /^([0-9a-f]{12}): (.*)$/.exec(line) ?? [];
            if (layer === undefined) return;
            layers.known.add(layer);
            if (/^(Pull complete|Already exists)/.test(what)) layers.done.add(layer);
            const { known, done } = layers;
            progress.tick(
                node.name,
                `${String(done.size)} of ${String(known.size)} layers`,
                "layers",
            );
        },
    });
    if (code === 0) return;
    throw new RecipeError(
        [pullIssue(node.name, image, stderr, login)],
        "Nothing that serves was stopped; the next `pulumi up` goes on from there.",
    );
}

/** Docker's client calls its hub by an address of its first days. */
function clientConfig({ server, username }: NonNullable<PullPlan["login"]>, password: string) {
    const address = server === "docker.io" ? "https://index.docker.io/v1/" : server;
    const auth = Buffer.from(`${username}:${password}`).toString("base64");
    return { auths: { [address]: { auth } } };
}
