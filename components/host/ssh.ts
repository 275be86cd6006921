/** The one way to a node: the OpenSSH client, with one shared connection a node. */
export { connect, type ConnectOptions } from "./sshConnect";
export type { ConnectFailure } from "./sshClassify";
export { NodeError } from "./sshFailure";
export { httpOverSsh, type HttpAnswer, type HttpRequest } from "./sshHttp";
export { ensureKnownHosts } from "./sshKnownHosts";
export { runScript, type ScriptOptions, type ScriptResult } from "./sshRun";
export { sshArguments } from "./sshArguments";
