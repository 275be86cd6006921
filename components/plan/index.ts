export type * from "./types";
export { describeChanges } from "./describeChanges";
export { type RankSummary, summariseRanks } from "./rankSummary";
