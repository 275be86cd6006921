export { imagesFolder, imageSource } from "./imageSource";
export { stageContext } from "./stageContext";
export { type Mirror, mirrored, readReference, registryOf } from "./reference";
export type { BootFigures, ImageOptions, ImageSmoke, ImageSource } from "./types";
