export { imagesFolder, imageSource } from "./imageSource";
export type { BootFigures, ImageOptions, ImageSmoke, ImageSource } from "./types";
