export type * from "./types";
export { describeChanges } from "./describeChanges";
export { type RankSummary, summariseRanks } from "./rankSummary";
export { groupNames } from "./names";
export type { PlanInput } from "./planInput";
export { planStack } from "./planStack";
