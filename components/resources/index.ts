export { outputsOf } from "./outputs";
export { previousRun } from "./previousRun";
export { SparkCluster } from "./sparkCluster";
export { stackSource } from "./stackSource";
export { tellJit } from "./tellJit";
export { tellPlan } from "./tellPlan";
