export type * from "./smokeTypes";
export type * from "./types";
export { describeReplacement } from "./describeReplacement";
export { type RankSummary, summariseRanks } from "./rankSummary";
export { groupNames } from "./names";
export type { PlanInput } from "./planInput";
export { planStack } from "./planStack";
