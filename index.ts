import * as pulumi from "@pulumi/pulumi";

import {
    checkBeforeStop,
    checkNodes,
    clearTheWay,
    ensureKnownHosts,
    makeRoom,
    placeCaches,
    sshArguments,
} from "./components/host";
import { stageContext } from "./components/image";
import { RecipeError, renderIssues } from "./components/issue";
import { loadPlan } from "./components/loadPlan";
import {
    outputsOf,
    previousRun,
    SparkCluster,
    stackSource,
    tellJit,
    tellPlan,
} from "./components/resources";

// The walk: configuration, recipe and image folder -> plan (data, all decisions) -> resources -> outputs.
async function program() {
    const source = stackSource();
    const plan = loadPlan(source);
    // Pinned host keys hold for the docker provider too, which runs ssh by itself.
    ensureKnownHosts(plan.nodes.map((node) => node.ssh));
    const previous = await previousRun(source.owner);
    tellPlan(plan, previous, renderIssues(plan.warnings));
    const say = (text: string) => void pulumi.log.info(text);
    tellJit(plan, previous.jit, say);
    const config = new pulumi.Config();
    const apiKey = config.getSecret("apiKey");
    const huggingFaceToken = config.getSecret("huggingFaceToken");
    const registryPassword = config.getSecret("registryPassword");
    const spark = new SparkCluster("cluster", {
        plan,
        sshOptions: (node) => sshArguments(node.ssh),
        clearing: clearTheWay({
            nodes: plan.nodes,
            formerNodes: previous.formerNodes,
            check: (groupId) => checkNodes(plan, groupId, say),
            beforeStop: () => checkBeforeStop(plan),
            afterStop: (groupId) => makeRoom(plan, groupId, say),
            say,
        }),
        caches: placeCaches(plan, say),
        ...(plan.image.build && { buildContext: stageContext(source.project, plan.image.build) }),
        secrets: {
            ...(apiKey === undefined ? {} : { apiKey }),
            ...(huggingFaceToken === undefined ? {} : { huggingFaceToken }),
            ...(registryPassword === undefined ? {} : { registryPassword }),
        },
    });
    return outputsOf(plan, spark, previous);
}

/** The one place where a user's mistakes become the engine's errors; anything else is a bug and keeps its stack. */
async function withUserErrors<T>(run: () => Promise<T>): Promise<T> {
    try {
        return await run();
    } catch (error) {
        if (error instanceof RecipeError)
            throw new pulumi.RunError(renderIssues(error.issues, error.closing));
        throw error;
    }
}

export = () => withUserErrors(program);
