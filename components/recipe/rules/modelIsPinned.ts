import type { Rule } from ".";

/** Without a commit the hub's newest state is served, and two runs may differ. */
export const modelIsPinned: Rule = ({ fields, args }) =>
    fields.model === undefined ||
    fields.model_revision !== undefined ||
    args.some((word) => word?.startsWith("--revision"))
        ? []
        : [
              {
                  code: "unpinned-model",
                  severity: "warning",
                  at: ["model"],
                  problem: `${fields.model} has no revision: it is whatever refs/main in the hub's cache says`,
                  expected: "model_revision with the commit of 40 hex digits",
                  fix: "or set it in the stack: pulumi config set --path model.revision COMMIT",
              },
          ];
