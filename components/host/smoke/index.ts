export { smoke, type SmokeOptions } from "./smoke";
