import type { RecipeMount } from "../recipe";
import { RecipeError } from "../issue";
import type { Cluster, Node } from "./types";
import { configIssues, type ConfigIssue } from "./configIssues";
import { configRules } from "./configRules";
import { parseDestination } from "./destination";
import { normalise } from "./normalise";
import { placeIssues, type ConfigSource } from "./placeIssues";
import { salvage } from "./salvage";
import { secretIssues } from "./secretIssues";
import { clusterSchema, type ClusterConfig } from "./schema";

type NodeConfig = ClusterConfig["nodes"][number];

/** The object without keys whose value is undefined. */
function present<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
    return Object.fromEntries(
        Object.entries(object).filter(([, value]) => value !== undefined),
    ) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function toMount({ host, container, env, read_only }: NodeConfig["mounts"][number]): RecipeMount {
    return { host, container, ...(env === undefined ? {} : { env }), readOnly: read_only };
}

function toNode(config: NodeConfig): Node {
    const { destination, port, home } = parseDestination(config.host);
    return {
        name: config.name,
        destination,
        ...present({
            port,
            hostKey: config.hostKey,
            home: config.home ?? home,
            fabric: config.fabric,
        }),
        env: config.env,
        mounts: config.mounts.map(toMount),
        ...(config.spare ? { spare: true } : {}),
    };
}

function toCluster(config: ClusterConfig, file: string): Cluster {
    const { base, dir, registry, ...image } = config.image;
    const { path, ...weights } = config.weights;
    return {
        file,
        recipe: config.recipe,
        nodes: config.nodes.map(toNode),
        ...present({ sshConfig: config.sshConfig }),
        api: config.api,
        masterPort: config.masterPort,
        model: present({ revision: config.model.revision }),
        weights: { ...present({ path }), ...weights },
        nas: { fsTypes: config.nas.fsTypes, ...present({ manage: config.nas.manage }) },
        image: { ...present({ base, dir, registry }), ...image },
        caches: config.caches,
        launch: config.launch,
        checks: config.checks,
        purge: config.purge,
        hasApiKey: config.apiKey !== undefined,
        hasHuggingFaceToken: config.huggingFaceToken !== undefined,
    };
}

function refuse(issues: readonly ConfigIssue[], source: ConfigSource): never {
    const placed = issues.map((issue) => ({
        code: "bad-config" as const,
        severity: "error" as const,
        file: source.file,
        ...issue,
    }));
    throw new RecipeError(placeIssues(placed, source));
}

/**
 * Validates a stack's configuration and fills in the defaults.
 *
 * @param raw keys without namespace; values as the engine hands them over (texts, blocks as JSON) or as the file has
 *     them (types, secrets as `{secure: …}`): both give the same cluster.
 * @throws RecipeError with every problem at once.
 */
export function parseCluster(
    raw: Readonly<Record<string, unknown>>,
    source: ConfigSource,
): Cluster {
    const values = normalise(raw, clusterSchema);
    const parsed = clusterSchema.safeParse(values);
    const wrong = parsed.error?.issues ?? [];
    const rest = parsed.success ? parsed : clusterSchema.safeParse(salvage(values, wrong));
    const issues = [
        ...configIssues(wrong, clusterSchema, values),
        ...secretIssues(raw, source.text),
        ...(rest.success ? configRules.flatMap((rule) => rule(rest.data)) : []),
    ];
    if (!parsed.success || issues.length > 0) refuse(issues, source);
    return toCluster(parsed.data, source.file);
}
