export { imagesFolder, imageSource } from "./imageSource";
export { type Mirror, mirrored, readReference, registryOf } from "./reference";
export type { BootFigures, ImageOptions, ImageSmoke, ImageSource } from "./types";
