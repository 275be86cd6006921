export type * from "./types";
export { nearest } from "./nearest";
export { recipeNotFound } from "./notFound";
export { parseRecipe } from "./parseRecipe";
