import { loadPlan } from "../components/loadPlan";
import type { StackPlan } from "../components/plan";
import { projectRoot } from "./projectRoot";
import { readStack } from "./readStack";

/**
 * The plan of a stack, read without the engine; moves to the project's folder, from where its paths count.
 *
 * @param stack default: the selected one.
 * @param recipe instead of the configured one.
 * @throws RecipeError with every problem of configuration and recipe.
 */
export function planOfStack(stack: string | undefined, recipe?: string): StackPlan {
    process.chdir(projectRoot(process.cwd()));
    const source = readStack(".", stack, process.env);
    return loadPlan(
        recipe === undefined ? source : { ...source, config: { ...source.config, recipe } },
    );
}
