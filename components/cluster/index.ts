export type * from "./types";
export { parseCluster } from "./parseCluster";
export { ownKeys } from "./ownKeys";
export { placeIssues, namespace, type ConfigSource } from "./placeIssues";
export type * from "./facts";
export { type Asked, parseFacts } from "./factsParse";
export { checkFacts, rules } from "./rules";
export { memoryShare } from "./rulesCommand";
export type { PlanToCheck } from "./rulesContext";
