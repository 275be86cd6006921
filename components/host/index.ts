export { checkNodes } from "./checkNodes";
export { clearTheWay } from "./clearTheWay";
export { collectFacts, type NodeOutcome } from "./collectFacts";
export { dropPageCaches } from "./pageCache";
export { discoverNodes, type Discovery } from "./discoverNodes";
export { preflight, type PreflightReport } from "./preflight";
export { ensureKnownHosts, httpOverSsh, NodeError, runScript, sshArguments } from "./ssh";
