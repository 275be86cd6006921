import { RecipeError } from "../issue";
import type { PullPlan } from "../plan";
import type { GroupNode } from "./group";
import pullScript from "./imagePull.sh";
import { layerProgress } from "./layerProgress";
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
    const onLayers = layerProgress((done, known) => {
        progress.tick(node.name, `${String(done)} of ${String(known)} layers`, "layers");
    });
    const { code, stderr } = await runScript(node, pullScript, {
        args: [image, platform, tag ?? "-"],
        input: login === undefined ? "" : JSON.stringify(clientConfig(login, password ?? "")),
        timeoutSeconds,
        signal,
        onLine: (line) => {
            if (line === "pulls") progress.say(node.name, `pulls ${image}`);
            onLayers(line);
        },
    });
    if (code === 0) return;
    throw new RecipeError(
        [pullIssue(node.name, image, stderr, login)],
        "Nothing that serves was stopped; the next `pulumi up` goes on from there.",
    );
}

/** What Docker's client reads a login from; it calls its hub by an address of its first days. */
export function clientConfig(
    { server, username }: NonNullable<PullPlan["login"]>,
    password: string,
) {
    const address = server === "docker.io" ? "https://index.docker.io/v1/" : server;
    const auth = Buffer.from(`${username}:${password}`).toString("base64");
    return { auths: { [address]: { auth } } };
}
