import * as fs from "node:fs";
import * as path from "node:path";

import { closest, distance } from "fastest-levenshtein";

import type { Issue } from "../issue";

import type { BaseImage } from "./baseImages";
import type { Refused } from "./contextFiles";
import type { ImageOptions } from "./types";

const common = { code: "image", severity: "error" } as const;

/** No such folder under docker-images/: offers the nearest name, else lists them. */
export function missingFolder(imagesDir: string, dir: string, options: ImageOptions): Issue {
    const names = folderNames(imagesDir);
    const nearest = names.length === 0 ? undefined : closest(dir, names);
    const near = nearest !== undefined && distance(dir, nearest) <= Math.max(2, nearest.length / 3);
    const { file, path: key } = options.namedIn ?? { path: "docker_image_dir" };
    return {
        ...common,
        ...(file === undefined ? {} : { file }),
        path: key,
        problem: `${JSON.stringify(dir)} is no folder under docker-images/`,
        expected:
            names.length === 0
                ? "a folder under docker-images/ with a Dockerfile; there is none"
                : `one of ${names.join(", ")}`,
        fix: near
            ? `did you mean ${nearest}?`
            : "name one of these, or make a folder with a Dockerfile",
    };
}

export function missingDockerfile(dockerfile: string): Issue {
    return {
        ...common,
        file: dockerfile,
        path: "",
        problem: "there is no such file",
        expected: "a Dockerfile in every folder under docker-images/ that a recipe names",
        fix: "write one; docker-images/README.md shows how to start",
    };
}

/** A stack chose a base, but the Dockerfile takes none. */
export function noBaseArgument(dockerfile: string, options: ImageOptions): Issue {
    return {
        ...common,
        file: dockerfile,
        path: "",
        problem: `image.base is ${options.base ?? ""}, but no FROM here uses an argument BASE`,
        expected: "ARG BASE=<image>@sha256:<digest> above FROM ${BASE}",
        fix: "put that into the Dockerfile, or remove image.base from the stack",
    };
}

/** None for a base that the Dockerfile itself excuses with a reason. */
export function unpinned(
    dockerfile: string,
    base: BaseImage,
    options: ImageOptions,
): readonly Issue[] {
    const chosen = options.base !== undefined && base.variables.includes("BASE");
    if (base.reason !== undefined && !chosen) return [];
    const { configFile } = options;
    const place = chosen
        ? { ...(configFile === undefined ? {} : { file: configFile }), path: "image.base" }
        : { file: dockerfile, line: base.line, path: base.variables[0] ?? "FROM" };
    const name = base.reference === "" ? "an image without a name" : base.reference;
    return [
        {
            ...common,
            ...place,
            problem: `${name} has no digest: its content can change, and differ between nodes`,
            expected: "<image>@sha256:<64 hex digits>",
            fix:
                `\`docker buildx imagetools inspect ${base.reference}\` shows the digest` +
                (chosen
                    ? ""
                    : "; a base that only this machine has: say why in a comment above, `# unpinned base: <reason>`") +
                "; image.allowUnpinnedBase: true in the stack builds without one",
        },
    ];
}

export function refusedFile(context: string, file: Refused): Issue {
    return {
        ...common,
        file: `${context}/${file.path}`,
        path: "",
        problem: file.problem,
        expected: "files, folders, and links within the folder",
        fix: file.fix,
    };
}

/** A figure for the tests must not make a new image, which would replace the group. */
export function smokeInContext(context: string): Issue {
    return {
        ...common,
        file: `${context}/smoke.toml`,
        path: "",
        problem: "Docker would be sent this file: a change of it would rebuild the image",
        expected: "it to be no part of the build",
        fix: `write a line smoke.toml into ${context}/.dockerignore`,
    };
}

function folderNames(imagesDir: string): readonly string[] {
    if (!fs.existsSync(imagesDir)) return [];
    return fs
        .readdirSync(imagesDir)
        .filter((name) => fs.existsSync(path.join(imagesDir, name, "Dockerfile")))
        .toSorted();
}
