export { ensureWeights, type WeightsResult } from "./ensureWeights";
