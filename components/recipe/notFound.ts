import type { Issue } from "../issue";
import { nearest } from "./nearest";

/** The issue of a recipe that is not there, with the nearest of the names that are. */
export function recipeNotFound(name: string, known: readonly string[]): Issue {
    const last =
        name.split(/[\\/]/).findLast((part) => part !== "" && part !== "recipe.toml") ?? "";
    const best = nearest(last, known);
    const list = known.length === 0 ? "which is empty" : known.join(", ");
    return {
        code: "bad-config",
        severity: "error",
        path: "recipe",
        problem: `no recipe ${JSON.stringify(name)}`,
        expected: `a folder of recipes/ (${list}), or a path to a recipe`,
        ...(best === undefined ? {} : { fix: `did you mean ${best}?` }),
    };
}
