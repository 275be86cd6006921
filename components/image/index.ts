export { imagesFolder, imageSource } from "./imageSource";
export type { ImageOptions, ImageSource } from "./types";
