import type { LaunchInput, LaunchOptions } from "./launch";
import type { NotReady } from "./launchIssues";
import type { LaunchResult } from "../plan";
import type { ObservedNode } from "./launchState";
import type { Marker } from "./markers";
import { askForCompletion, type Readiness } from "./ready";
import { type RankExit, watchRank } from "./watchRank";

type Outcome =
    | { readonly kind: "serving"; readonly result: LaunchResult }
    | { readonly kind: "exited"; readonly exit: RankExit }
    | { readonly kind: "ended"; readonly why: string }
    | ({ readonly kind: "not-ready" } & NotReady);

/** Between two looks at the head's API while it boots. */
const pollSeconds = 1;

/**
 * Follows the logs of all ranks and asks the head until one of: a real completion came, a rank ended, the
 * time is up. Whatever comes first ends the others.
 */
export async function waitUntilServing(
    input: LaunchInput,
    started: readonly ObservedNode[],
    options: LaunchOptions,
): Promise<Outcome> {
    const wait = new Wait(input, started, options);
    try {
        return await Promise.race([wait.ended(), wait.anyExit(), wait.service(), wait.timeLimit()]);
    } finally {
        wait.end();
    }
}

class Wait {
    private readonly done = new AbortController();
    private readonly signal: AbortSignal;
    private readonly lastLines = new Map<string, string>();
    private readonly timers = new Set<NodeJS.Timeout>();
    private kvCacheTokens: number | null = null;
    private readonly lookedAt = Date.now();
    private why = "the API does not answer yet";

    constructor(
        private readonly input: LaunchInput,
        private readonly started: readonly ObservedNode[],
        private readonly options: LaunchOptions,
    ) {
        this.signal = AbortSignal.any([this.done.signal, options.signal]);
    }

    end(): void {
        this.done.abort();
        for (const timer of this.timers) clearTimeout(timer);
    }

    /** Resolves with the first rank that ends; never, while all run. */
    async anyExit(): Promise<Outcome> {
        const exits = this.input.plan.nodes.flatMap((node, index) =>
            (this.started[index]?.containers ?? []).map(async (rank) => {
                const exit = await watchRank(node, rank, {
                    signal: this.signal,
                    onLine: (line) => this.lastLines.set(node.name, line),
                    onMarker: (marker) => {
                        this.show(node.name, marker);
                    },
                });
                // Ended by us, or from outside: someone else has the answer.
                return this.signal.aborted ? never<RankExit>() : exit;
            }),
        );
        return { kind: "exited", exit: await Promise.race(exits) };
    }

    /** Resolves when a completion came, or when the API answers wrongly for the completion's own limit. */
    async service(): Promise<Outcome> {
        const { plan } = this.input;
        const [head] = plan.nodes;
        if (head === undefined) throw new Error("a plan has at least one node");
        while (!this.signal.aborted) {
            const readiness = await askForCompletion(head, plan, this.options);
            if (readiness.kind === "serving") return this.serving(readiness);
            this.why = readiness.why;
            if (readiness.kind === "broken") return await this.broken();
            await this.sleep(pollSeconds);
        }
        return never();
    }

    /** Resolves when the step is told to end. */
    ended(): Promise<Outcome> {
        const { signal } = this.options;
        return new Promise((resolve) => {
            const end = () => {
                const why = signal.reason instanceof Error ? signal.reason.message : "aborted";
                resolve({ kind: "ended", why });
            };
            if (signal.aborted) end();
            else signal.addEventListener("abort", end, { once: true });
        });
    }

    async timeLimit(): Promise<Outcome> {
        await this.sleep(this.input.plan.launch.timeoutSeconds);
        return this.notReady(false);
    }

    /** A head that answers 500 exits within 2 s (facts.md): its exit, with its log, says more. */
    private async broken(): Promise<Outcome> {
        await this.sleep(4);
        return this.notReady(true);
    }

    private notReady(broken: boolean): Outcome {
        const seconds = this.options.progress.seconds();
        const lastLines = [...this.lastLines].map(([node, line]) => ({ node, line }));
        return { kind: "not-ready", why: this.why, broken, seconds, lastLines };
    }

    private serving(readiness: Extract<Readiness, { kind: "serving" }>): Outcome {
        const { progress } = this.options;
        const tookSeconds = readiness.seconds.toFixed(1);
        progress.say(this.input.plan.nodes[0]?.name ?? "", `a completion came in ${tookSeconds} s`);
        return {
            kind: "serving",
            result: {
                bootSeconds: Math.round(this.ageSeconds()),
                kvCacheTokens: this.kvCacheTokens,
                ranks: this.started.flatMap(({ node, containers }) =>
                    containers.map(({ name }) => ({ node, container: name })),
                ),
            },
        };
    }

    /** How long the ranks run: by their own node's clock until this step looked, by ours since. */
    private ageSeconds(): number {
        const ages = this.started.flatMap(({ now, containers }) =>
            containers.map((rank) => (Date.parse(now) - Date.parse(rank.startedAt)) / 1000),
        );
        return Math.max(0, ...ages) + (Date.now() - this.lookedAt) / 1000;
    }

    private show(node: string, marker: Marker): void {
        if (marker.stage === "kv-cache") this.kvCacheTokens ??= marker.figure ?? null;
        const { progress } = this.options;
        if (marker.progress) progress.tick(node, marker.text);
        else progress.say(node, marker.text);
    }

    private sleep(seconds: number): Promise<void> {
        return new Promise((resolve) => {
            const timer = setTimeout(() => {
                this.timers.delete(timer);
                resolve();
            }, seconds * 1000);
            this.timers.add(timer);
        });
    }
}

function never<T>(): Promise<T> {
    return new Promise(() => undefined);
}
