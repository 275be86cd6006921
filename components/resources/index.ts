export { type LaunchResult, SparkCluster, type SparkClusterArgs } from "./sparkCluster";
