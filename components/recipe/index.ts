export type * from "./types";
export { recipeNotFound } from "./notFound";
export { parseRecipe } from "./parseRecipe";
