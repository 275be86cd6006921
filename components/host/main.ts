/**
 * One of the program's long steps, as a process of its own: JSON on stdin, progress on stderr, the result as
 * one line of JSON on stdout. Throws RecipeError for what the user can put right.
 */
type Step = (input: never, signal: AbortSignal) => Promise<object>;

const steps: Readonly<Record<string, () => Promise<Step>>> = {
    "new-id": async () => (await import("./newIdStep")).newIdStep,
    preflight: async () => (await import("./preflightStep")).preflightStep,
    "image-pull": async () => (await import("./imagePullStep")).imagePullStep,
    "image-ship": async () => (await import("./ship/imageShipStep")).imageShipStep,
    "image-check": async () => (await import("./imageCheckStep")).imageCheckStep,
    nas: async () => (await import("./nasStep")).nasStep,
    "nas-undo": async () => (await import("./nasStep")).nasUndoStep,
    weights: async () => (await import("./weights/weightsStep")).weightsStep,
    caches: async () => (await import("./cachesStep")).cachesStep,
    "argument-check": async () => (await import("./argumentCheckStep")).argumentCheckStep,
    "change-over": async () => (await import("./changeOverStep")).changeOverStep,
    forget: async () => (await import("./cachesStep")).forgetStep,
    launch: async () => (await import("./launchStep")).launchStep,
    smoke: async () => (await import("./smokeStep")).smokeStep,
    prune: async () => (await import("./pruneStep")).pruneStep,
};

async function main(name: string | undefined): Promise<void> {
    const load = steps[name ?? ""];
    if (load === undefined) {
        process.stderr.write(`usage: node scripts/host.js ${Object.keys(steps).join(" | ")}\n`);
        process.exitCode = 2;
        return;
    }
    const step = await load();
    const result = await step((await readInput()) as never, endOfParent());
    process.stdout.write(`${JSON.stringify(result)}\n`);
}

async function readInput(): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString());
}

/** Aborted by a signal, or when the engine is gone: nobody would read the result. */
function endOfParent(): AbortSignal {
    const ends = new AbortController();
    const end = (why: string) => {
        ends.abort(new Error(why));
    };
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        process.once(name, () => {
            end(`ended by ${name}`);
        });
    }
    const parent = process.ppid;
    setInterval(() => {
        if (process.ppid !== parent) end("the engine is gone");
    }, 500).unref();
    return ends.signal;
}

main(process.argv[2]).catch(async (error: unknown) => {
    const { RecipeError, renderIssues } = await import("../issue");
    // What the user can put right gets no stack trace; anything else is a bug and keeps it.
    const text =
        error instanceof RecipeError ? renderIssues(error.issues, error.closing) : trace(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
});

function trace(error: unknown): string {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
