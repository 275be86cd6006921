export type * from "./types";
export { nearest } from "./nearest";
export { parseRecipe } from "./parseRecipe";
