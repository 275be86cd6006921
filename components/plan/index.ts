export type * from "./smokeTypes";
export type * from "./types";
export { addJitRecord, describeJit, type JitRecord } from "./describeJit";
export { describeReplacement } from "./describeReplacement";
export { type JitLibraries, jitStamp } from "./jitStamp";
export { type RankSummary, summariseRanks } from "./rankSummary";
export { groupNames } from "./names";
export type { PlanInput } from "./planInput";
export { planStack } from "./planStack";
