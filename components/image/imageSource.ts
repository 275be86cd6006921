import * as fs from "node:fs";
import * as path from "node:path";

import { type Issue, RecipeError } from "../issue";

import { baseImages, globalArguments, isPinned } from "./baseImages";
import { throughMirrors } from "./throughMirrors";
import { contextDigest } from "./contextDigest";
import { type ContextListing, listContext } from "./contextFiles";
import { parseDockerfile } from "./dockerfile";
import {
    missingDockerfile,
    missingFolder,
    noBaseArgument,
    refusedFile,
    smokeInContext,
    unpinned,
} from "./imageIssues";
import { readSmokeFile, smokeFileName } from "./smokeFile";
import type { ImageOptions, ImageSource, Instruction } from "./types";

/** Folder of the project that holds one build context an image. */
export const imagesFolder = "docker-images";
const contextArgument = "SPARK_VLLM_CONTEXT";

/**
 * What a node is to build from `docker-images/<dir>`, with a digest that changes exactly when the
 * input of the build does. A Dockerfile that declares `ARG SPARK_VLLM_CONTEXT` is given the digest,
 * for a label. Reads the folder, touches nothing else.
 * @throws RecipeError (code `image`) with every problem: no such folder, no Dockerfile, a base image
 * without a digest, a file that Docker would not send.
 */
export function imageSource(
    projectRoot: string,
    dir: string,
    options: ImageOptions = {},
): ImageSource {
    const context = `${imagesFolder}/${dir}`;
    const contextDir = path.join(projectRoot, imagesFolder, dir);
    const dockerfile = `${context}/Dockerfile`;
    if (!isFolderName(dir) || !isFolder(contextDir)) {
        throw new RecipeError([missingFolder(path.join(projectRoot, imagesFolder), dir, options)]);
    }
    if (!fs.existsSync(path.join(contextDir, "Dockerfile"))) {
        throw new RecipeError([missingDockerfile(dockerfile)]);
    }
    const text = fs.readFileSync(path.join(contextDir, "Dockerfile"), "utf8");
    const instructions = parseDockerfile(text);
    const args = baseArguments(instructions, options.base);
    const bases = baseImages(instructions, args);
    const { files, refused } = listContext(contextDir, context);
    const through = throughMirrors(dockerfile, bases, options.mirrors ?? []);
    const issues = [
        ...(options.base === undefined || bases.some(({ variables }) => variables.includes("BASE"))
            ? []
            : [noBaseArgument(dockerfile, options)]),
        ...(options.unpinnedBase === true
            ? []
            : bases
                  .filter((base) => !isPinned(base.reference))
                  .flatMap((base) => unpinned(dockerfile, base, options))),
        ...filesIssues(context, { files, refused }),
        ...through.issues,
    ];
    if (issues.length > 0) throw new RecipeError(issues);
    const references = bases.map((base) => base.reference);
    const digest = contextDigest(contextDir, files, args, references);
    const built = { ...args, ...through.args, ...label(instructions, digest) };
    const smoke = readSmokeFile(contextDir, context);
    const { images } = through;
    return { context, dockerfile, args: built, bases: images, digest, ...(smoke && { smoke }) };
}

function filesIssues(context: string, { files, refused }: ContextListing): readonly Issue[] {
    const sendsSmoke = files.some((file) => file.path === smokeFileName);
    return [
        ...refused.map((file) => refusedFile(context, file)),
        ...(sendsSmoke ? [smokeInContext(context)] : []),
    ];
}

/** BASE, unless it is what the Dockerfile says anyway: writing out a default is no change. */
function baseArguments(
    instructions: readonly Instruction[],
    base: string | undefined,
): Record<string, string> {
    const own = globalArguments(instructions).get("BASE")?.value;
    return base === undefined || base === own ? {} : { BASE: base };
}

function label(instructions: readonly Instruction[], digest: string): Record<string, string> {
    const declared = instructions.some(
        ({ keyword, text }) => keyword === "ARG" && /^SPARK_VLLM_CONTEXT(?:=|$)/.test(text),
    );
    return declared ? { [contextArgument]: digest } : {};
}

/** A path below docker-images/ that cannot lead out of it. */
function isFolderName(dir: string): boolean {
    return dir.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function isFolder(folder: string): boolean {
    return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
