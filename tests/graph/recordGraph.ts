import * as pulumi from "@pulumi/pulumi";

/** What the engine is told of one resource; names instead of URNs, so that a snapshot reads. */
export interface RecordedResource {
    readonly type: string;
    readonly name: string;
    readonly parent: string;
    readonly dependsOn: readonly string[];
    readonly provider: string;
    readonly deleteBeforeReplace: boolean;
    readonly replaceOnChanges: readonly string[];
    readonly beforeCreate: number;
    /** Secrets are shown as "[secret]". */
    readonly inputs: Readonly<Record<string, unknown>>;
}

const secretKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

interface Request {
    getType(): string;
    getName(): string;
    getParent(): string;
    getDependenciesList(): string[];
    getProvider(): string;
    getDeletebeforereplace(): boolean;
    getReplaceonchangesList(): string[];
    getHooks(): { getBeforeCreateList(): string[] } | undefined;
    getObject(): { toJavaScript(): Record<string, unknown> };
}

/** Internals of the SDK without types of their own: the monitor behind setMocks, and the way to wait for it. */
interface Monitor {
    registerResource: (this: unknown, req: Request, callback: unknown) => unknown;
    registerResourceHook?: (
        req: unknown,
        callback: (error: null, empty: object) => void,
    ) => unknown;
}
const { MockMonitor } = jest.requireActual<{ MockMonitor: { prototype: Monitor } }>(
    "@pulumi/pulumi/runtime/mocks",
);
const { waitForRPCs } = jest.requireActual<{ waitForRPCs: () => Promise<void> }>(
    "@pulumi/pulumi/runtime/settings",
);

/**
 * Runs `declare` against the engine's mocks and returns all it registered.
 *
 * setMocks alone hides parents, dependencies and options, so the monitor's own method is wrapped.
 */
export async function recordGraph(declare: () => void): Promise<readonly RecordedResource[]> {
    const graph: RecordedResource[] = [];
    const monitor = MockMonitor.prototype;
    const original = monitor.registerResource;
    monitor.registerResource = function (req, callback) {
        graph.push(record(req));
        return original.call(this, req, callback);
    };
    // Hooks run in the engine only; here it is enough that they are registered.
    monitor.registerResourceHook ??= (_, callback) => {
        callback(null, {});
    };
    try {
        await pulumi.runtime.setMocks(
            {
                newResource: (args) => ({
                    id: `${args.name}-id`,
                    state: { ...(args.inputs as object), ...outputsOf(args.name) },
                }),
                call: () => ({}),
            },
            "spark-vllm",
            "spark",
        );
        declare();
        await waitForRPCs();
        await new Promise((resolve) => setTimeout(resolve, 50));
        await waitForRPCs();
    } finally {
        monitor.registerResource = original;
    }
    return graph.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function outputsOf(name: string): Record<string, unknown> {
    if (name === "group-id") return { stdout: '{"id":"0123456789abcdef"}' };
    if (name === "launch") return { stdout: '{"bootSeconds":1,"kvCacheTokens":2,"ranks":[]}' };
    if (name === "image-check") return { stdout: '{"digest":null,"packages":{},"contents":{}}' };
    if (name === "smoke") return { stdout: '{"gates":[]}' };
    return {};
}

function record(req: Request): RecordedResource {
    return {
        type: req.getType(),
        name: req.getName(),
        parent: nameOf(req.getParent()),
        dependsOn: req.getDependenciesList().map(nameOf).toSorted(),
        provider: nameOf(req.getProvider().split("::").slice(0, 4).join("::")),
        deleteBeforeReplace: req.getDeletebeforereplace(),
        replaceOnChanges: req.getReplaceonchangesList(),
        beforeCreate: req.getHooks()?.getBeforeCreateList().length ?? 0,
        inputs: mask(req.getObject().toJavaScript()) as Record<string, unknown>,
    };
}

function nameOf(urn: string): string {
    return urn.split("::").at(-1) ?? "";
}

function mask(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== "object" || value === null) return value;
    const entries = value as Record<string, unknown>;
    if (entries[secretKey] === secretSignature) return "[secret]";
    return Object.fromEntries(Object.entries(entries).map(([key, inner]) => [key, mask(inner)]));
}
