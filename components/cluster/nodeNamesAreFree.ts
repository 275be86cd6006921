import type { ConfigIssue } from "./configIssues";
import type { ClusterConfig } from "./schema";

/** The program's own names of a node's things: a node called so would be mistaken for one. */
const reservedName =
    /^(?:preflight|image-(?:pull|ship|check)|argument-check|weights|change-over|launch|smoke|prune|group-id)$|-(?:docker|image|nas|caches|rank)$/;

/** No node is called like a thing of the program. */
export const nodeNamesAreFree = (config: ClusterConfig): readonly ConfigIssue[] =>
    config.nodes.flatMap((node, i) =>
        reservedName.test(node.name)
            ? [
                  {
                      path: `nodes[${String(i)}].name`,
                      problem: `"${node.name}" is a name of the program's own`,
                      expected:
                          "another name, not ending in -docker, -image, -nas, -caches or -rank",
                  },
              ]
            : [],
    );
