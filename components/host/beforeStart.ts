import { RecipeError } from "../issue";
import type { StackPlan } from "../plan";
import { imageIssues } from "./imageCheck";
import { lookAtImage } from "./imageLook";
import { seeMemoryFree } from "./memoryFree";
import { dropPageCaches } from "./pageCache";
import { takeOver } from "./takeOver";

/**
 * The last look before old ranks stop: the image is on every node and is the plan's, because Docker would pull a
 * local name from a registry. Throws RecipeError with every error of every node.
 */
export async function checkBeforeStop(plan: StackPlan): Promise<void> {
    const looks = await Promise.all(plan.nodes.map((node) => lookAtImage(node, plan.image.tag)));
    const wrong = imageIssues(looks, plan.image);
    if (wrong.length > 0) throw new RecipeError(wrong, "The group was left as it was.");
}

/** Between the old ranks and the new: other groups make room, then every node has the memory for its rank. */
export async function makeRoom(
    plan: StackPlan,
    groupId: string,
    say: (text: string) => void,
): Promise<void> {
    await takeOver(plan, groupId, say);
    await dropPageCaches(plan, (node, text) => {
        say(`${node}: ${text}`);
    });
    await seeMemoryFree(plan);
}
