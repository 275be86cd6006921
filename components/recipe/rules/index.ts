import { duplicateFlags } from "./duplicateFlags";
import { managedVariables, secretVariables, unknownVariables, variableNames } from "./environment";
import { fieldsAgainstArguments } from "./fieldsAgainstArguments";
import { flagsAreWhole } from "./flagsAreWhole";
import { flagValues } from "./flagValues";
import { jsonArguments } from "./jsonArguments";
import { localCaches } from "./localCaches";
import { managedFlags } from "./managedFlags";
import { modelIsPinned } from "./modelIsPinned";
import { mountPaths, mountTargets, mountVariables } from "./mounts";
import { noNul, secretFields } from "./plainText";
import { ranksFitNodes } from "./ranksFitNodes";
import type { Rule } from "./rule";
import { secretArguments } from "./secretArguments";
import { sharedMemory } from "./sharedMemory";
import { strayWords } from "./strayWords";
import { toolParser } from "./toolParser";
import { unknownFlags } from "./unknownFlags";

/** All rules of a recipe beyond the types of its keys; the list is the documentation. */
export const rules: readonly Rule[] = [
    // fields
    ranksFitNodes,
    modelIsPinned,
    sharedMemory,
    secretFields,
    noNul,
    // arguments
    strayWords,
    flagsAreWhole,
    managedFlags,
    duplicateFlags,
    flagValues,
    jsonArguments,
    secretArguments,
    unknownFlags,
    fieldsAgainstArguments,
    toolParser,
    // environment
    variableNames,
    managedVariables,
    secretVariables,
    unknownVariables,
    // mounts
    mountPaths,
    mountTargets,
    mountVariables,
    localCaches,
];
