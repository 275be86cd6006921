import docker from "./docker.sh";
import fabric from "./fabric.sh";
import files from "./files.sh";
import hub from "./hub.sh";
import json from "./json.sh";
import print from "./print.sh";
import system from "./system.sh";

/** Prints a node's facts as JSON; its arguments are described at the top of json.sh. */
export const factsScript = [json, system, docker, fabric, files, hub, print].join("\n");
