export type * from "./types";
export { parseCluster } from "./parseCluster";
export { ownKeys } from "./ownKeys";
export { placeIssues, namespace, type ConfigSource } from "./placeIssues";
