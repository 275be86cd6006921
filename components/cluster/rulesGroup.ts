import { type Context, type Finding, nothing, type Rule, sameGroup } from "./rulesContext";

/** Two groups do not fit on one machine, and whoever serves there shall not be stopped by surprise. Its name, ports and memory are not told besides. */
const otherGroup: Rule = {
    id: "other-group",
    check: (context: Context) => {
        const { plan, facts } = context;
        if (plan.launch.takeOver) return nothing;
        return facts.docker.containers
            .filter(({ running, groupId }) => running && groupId !== undefined)
            .filter((container) => !sameGroup(context, container))
            .map(({ name, owner = "an unknown stack" }): Finding => ({
                code: "docker",
                problem: `${name}, a rank of ${owner}, runs here`,
                expected: "no rank of another group on the node",
                fix: `take that group down (\`pulumi destroy\` of ${owner}), or set launch.takeOver: true, which stops it when this one starts`,
            }));
    },
};

export const groupRules: readonly Rule[] = [otherGroup];
