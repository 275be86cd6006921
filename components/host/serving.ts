import type { LaunchInput, LaunchOptions } from "./launch";
import type { Served } from "./launchResult";
import type { NotReady } from "./launchIssues";
import type { ObservedNode } from "./launchState";
import type { RankEnd } from "./rankEnd";
import { askForCompletion } from "./ready";
import { GroupWatch } from "./watchGroup";

type Outcome =
    | { readonly kind: "serving"; readonly served: Served }
    | { readonly kind: "rank-ended"; readonly end: RankEnd }
    | { readonly kind: "ended"; readonly why: string }
    | ({ readonly kind: "not-ready" } & NotReady);

/** Between two looks at the head's API while it boots. */
const pollSeconds = 1;

/**
 * Watches all ranks and asks the head until one of: a real completion came, a rank ended, the time is up.
 * Whatever comes first ends the others.
 */
export async function waitUntilServing(
    input: LaunchInput,
    started: readonly ObservedNode[],
    options: LaunchOptions,
): Promise<Outcome> {
    const wait = new Wait(input, started, options);
    try {
        return await Promise.race([wait.ended(), wait.rankEnd(), wait.service(), wait.timeLimit()]);
    } finally {
        wait.end();
        options.progress.flush();
    }
}

class Wait {
    private readonly done = new AbortController();
    private readonly signal: AbortSignal;
    private readonly watch: GroupWatch;
    private readonly timers = new Set<NodeJS.Timeout>();
    private readonly lookedAt = Date.now();
    private why = "the API does not answer yet";

    constructor(
        private readonly input: LaunchInput,
        private readonly started: readonly ObservedNode[],
        private readonly options: LaunchOptions,
    ) {
        const { plan } = input;
        this.signal = AbortSignal.any([this.done.signal, options.signal]);
        this.watch = new GroupWatch(plan.nodes, started, {
            stallSeconds: plan.launch.stallSeconds,
            progress: options.progress,
            verbose: options.verbose,
            signal: this.signal,
        });
    }

    end(): void {
        this.done.abort();
        for (const timer of this.timers) clearTimeout(timer);
    }

    /** Resolves with the rank whose end ends the group; never, while all run. */
    async rankEnd(): Promise<Outcome> {
        return { kind: "rank-ended", end: await this.watch.firstEnd() };
    }

    /** Resolves when a completion came, or when the API answers wrongly for the completion's own limit. */
    async service(): Promise<Outcome> {
        const { plan } = this.input;
        const [head] = plan.nodes;
        if (head === undefined) throw new Error("a plan has at least one node");
        while (!this.signal.aborted) {
            const readiness = await askForCompletion(head, plan, this.options);
            if (readiness.kind === "serving") return this.serving(readiness.seconds);
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
        const lastLines = this.watch.tracker.lastLines(Date.now());
        return { kind: "not-ready", why: this.why, broken, seconds, lastLines };
    }

    private serving(tookSeconds: number): Outcome {
        const head = this.input.plan.nodes[0]?.name ?? "";
        this.options.progress.say(head, `a completion came in ${tookSeconds.toFixed(1)} s`);
        const { tracker } = this.watch;
        const served: Served = {
            seconds: Math.round(this.ageSeconds()),
            ranks: tracker.figures(),
            kvCacheTokens: tracker.kvCacheTokens,
        };
        return { kind: "serving", served };
    }

    /** How long the ranks run: by their own node's clock until this step looked, by ours since. */
    private ageSeconds(): number {
        const ages = this.started.flatMap(({ now, containers }) =>
            containers.map((rank) => (Date.parse(now) - Date.parse(rank.startedAt)) / 1000),
        );
        return Math.max(0, ...ages) + (Date.now() - this.lookedAt) / 1000;
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
