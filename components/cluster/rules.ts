import type { Issue } from "../issue";
import type { NodeFacts } from "./facts";
import type { Context, PlanToCheck, Rule } from "./rulesContext";
import { dockerRules } from "./rulesDocker";
import { fabricRules } from "./rulesFabric";
import { groupRules } from "./rulesGroup";
import { imageRules } from "./rulesImage";
import { machineRules } from "./rulesMachine";
import { modelRules } from "./rulesModel";
import { mountRules } from "./rulesMounts";
import { resourceRules } from "./rulesResources";
import { weightsRules } from "./rulesWeights";

/** All that must hold on a node before anything is changed; a rule comes after those it builds on. */
export const rules: readonly Rule[] = [
    ...machineRules,
    ...groupRules,
    ...dockerRules,
    ...imageRules,
    ...fabricRules,
    ...mountRules,
    ...weightsRules,
    ...modelRules,
    ...resourceRules,
];

/**
 * What is wrong on the nodes that answered: one issue a fault, `file` the node's name, `path` the rule's id
 * (which `checks.ignore` names).
 *
 * @param groupId label of the stack's own containers, when it is known.
 */
export function checkFacts(
    plan: PlanToCheck,
    all: readonly NodeFacts[],
    groupId?: string,
): readonly Issue[] {
    return checkAll(rules, plan, all, groupId);
}

/** The rules over the weights alone, for looks after preflight: the issues of checkFacts that concern them. */
export function checkWeights(
    plan: PlanToCheck,
    all: readonly NodeFacts[],
    groupId?: string,
): readonly Issue[] {
    return checkAll([...mountRules, ...weightsRules, ...modelRules], plan, all, groupId);
}

function checkAll(
    some: readonly Rule[],
    plan: PlanToCheck,
    all: readonly NodeFacts[],
    groupId: string | undefined,
): readonly Issue[] {
    return plan.nodes.flatMap((node) => {
        const facts = all.find((each) => each.node === node.name);
        if (facts === undefined) return [];
        const group = groupId === undefined ? {} : { groupId };
        return checkNode(some, { plan, node, facts, all, ...group });
    });
}

function checkNode(some: readonly Rule[], context: Context): readonly Issue[] {
    const { plan, node } = context;
    const failed = new Set<string>();
    const issues: Issue[] = [];
    for (const rule of some) {
        if (rule.after?.some((id) => failed.has(id)) === true) continue;
        const findings = rule.check(context);
        // What rests on a fault is not told twice, ignored or not.
        if (findings.some(({ severity }) => severity !== "warning")) failed.add(rule.id);
        if (plan.ignoredChecks.includes(rule.id)) continue;
        for (const { severity = "error", ...found } of findings) {
            issues.push({ severity, file: node.name, path: rule.id, ...found });
        }
    }
    return issues;
}
