import { mountOf, pathFacts } from "./factsMount";
import type { Context } from "./rulesContext";

/** Whether the program is going to mount the hub on this node, so that nothing of it can be seen yet. */
export function awaitsMount({ plan, facts }: Context): boolean {
    const { nasMount } = plan;
    const found = nasMount && pathFacts(facts, nasMount.path);
    if (nasMount === undefined || found === undefined) return false;
    const point = mountOf(facts, found.resolved ?? nasMount.path)?.point;
    if (point === (found.resolved ?? nasMount.path)) return false;
    return found.state === "missing" || found.empty === true;
}
