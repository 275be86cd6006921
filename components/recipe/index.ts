export type * from "./types";
export type { Finding } from "./finding";
export { isKernelCache, isKernelCacheVariable } from "./kernelCaches";
export { nearest } from "./nearest";
export { recipeNotFound } from "./notFound";
export { parseRecipe } from "./parseRecipe";
export { readTomlFile } from "./tomlFile";
