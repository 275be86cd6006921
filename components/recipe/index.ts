export type * from "./types";
export type { Finding } from "./finding";
export { nearest } from "./nearest";
export { recipeNotFound } from "./notFound";
export { parseRecipe } from "./parseRecipe";
export { readTomlFile } from "./tomlFile";
