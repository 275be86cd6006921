import { givenFlag, texts, type Rule } from "./rule";

const truthy = /^(?:1|true|yes|on)$/i;

/** Without a commit the hub's newest state is served; offline, whatever the cache on the share last saw. */
export const modelIsPinned: Rule = (draft) => {
    const { fields, env } = draft;
    const { model, model_revision: revision } = fields;
    if (model === undefined || model.startsWith("/") || revision !== undefined) return [];
    const given = givenFlag(draft, "--revision");
    const argument = given === undefined ? undefined : texts(given)[0]?.text;
    if (argument !== undefined && /^[0-9a-f]{40}$/.test(argument)) return [];
    const offline = env.some(
        ([name, value]) =>
            /^(?:HF_HUB|TRANSFORMERS)_OFFLINE$/.test(name) && truthy.test(value ?? ""),
    );
    const what = argument === undefined ? "no revision" : "a branch or tag for a revision";
    const effect = offline
        ? "offline, the cache's refs/main decides what is served"
        : "what is served changes with the hub";
    return [
        {
            code: "unpinned-model",
            severity: "warning",
            at: ["model"],
            problem: `${model} has ${what}: ${effect}`,
            expected: "model_revision with a commit of 40 hex digits",
            fix: "or set it in the stack: pulumi config set --path model.revision COMMIT",
        },
    ];
};
