import { type Context, type Finding, nothing, type Rule } from "./rulesContext";

export const discover =
    "`npm run spark -- discover --stack NAME --write` finds and writes what is there";

/** A rule for the fabric of groups of more than one node. */
export function fabricRule(
    id: string,
    after: readonly string[],
    check: (context: Context, fabric: NonNullable<Context["node"]["fabric"]>) => readonly Finding[],
): Rule {
    return {
        id,
        after,
        check: (context) => {
            const { fabric } = context.node;
            return fabric === undefined || context.plan.nodes.length < 2
                ? nothing
                : check(context, fabric);
        },
    };
}
