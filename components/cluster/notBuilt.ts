import type { ConfigIssue } from "./configIssues";
import type { ClusterConfig } from "./schema";

/**
 * What is part of the configuration, but this version does not act on yet: spare nodes. Refused rather than ignored; this
 * file goes when the feature comes.
 */
export function notBuiltYet(config: ClusterConfig): readonly ConfigIssue[] {
    return config.nodes.flatMap((node, i) =>
        node.spare
            ? [
                  {
                      path: `nodes[${String(i)}].spare`,
                      problem: "true: this version does not do that yet",
                      expected: "false",
                      fix: "remove the line",
                  },
              ]
            : [],
    );
}

/** Whether only a key's default is accepted so far. */
export function isNotBuilt(path: string): boolean {
    return path === "nodes[].spare";
}
