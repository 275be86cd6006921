import { createHash } from "node:crypto";

import { RecipeError } from "../issue";
import type { GroupNode } from "./group";
import program from "./manifest.py";
import manifestScript from "./manifest.sh";
import { runScript } from "./ssh";

/** What an image holds, as its own Python sees it. */
export interface Manifest {
    readonly python: string;
    /** Normalised package name -> version. */
    readonly packages: Readonly<Record<string, string>>;
    /** Packages that the engine loads by an entry point. */
    readonly plugins: readonly string[];
    /** Module (vllm, torch, triton, flashinfer, plugins) -> sha256 over its files; only what is there. */
    readonly contents: Readonly<Record<string, string>>;
    /** `name:architecture` -> version; empty without dpkg. */
    readonly system: Readonly<Record<string, string>>;
}

/** Reading some 8 GB of files takes 10 s from a good disk. */
const timeoutSeconds = 600;

/**
 * Reads the image's manifest in a throw-away container on the node, which removes itself. null: the image has no
 * Python. Throws an issue when the container cannot run or its Python ends in an error.
 */
export async function readManifest(
    node: GroupNode,
    image: string,
    owner: string,
    signal?: AbortSignal,
): Promise<Manifest | null> {
    const result = await runScript(node, manifestScript, {
        args: [image, owner, String(timeoutSeconds)],
        input: program,
        timeoutSeconds: timeoutSeconds + 30,
        ...(signal === undefined ? {} : { signal }),
    });
    if (result.code === 0) return JSON.parse(result.stdout) as Manifest;
    if (result.code === 77) return null;
    const said = result.stderr.trim().split("\n").slice(-3).join(" / ");
    throw new RecipeError([
        {
            code: "image",
            severity: "error",
            file: node.name,
            path: "",
            problem: `the content of ${image} could not be read (code ${String(result.code)}): ${said}`,
            expected: "a container of the image to start and to read its packages",
            fix: `try \`docker run --rm --entrypoint python3 ${image} -V\` on the node`,
        },
    ]);
}

/** One line for each thing that an image holds: what differs between two images is named by it. */
export function manifestLines(manifest: Manifest): ReadonlyMap<string, string> {
    const named = (kind: string, values: Readonly<Record<string, string>>) =>
        Object.keys(values)
            .toSorted()
            .map((name) => [`${kind}${name}`, values[name] ?? ""] as const);
    return new Map([
        ["python", manifest.python],
        ...named("", manifest.packages),
        ...named("files of ", manifest.contents),
        ...named("system package ", manifest.system),
    ]);
}

/** sha256 over all that a manifest tells, 64 hex digits. */
export function manifestDigest(manifest: Manifest): string {
    const lines = [...manifestLines(manifest)];
    return createHash("sha256").update(JSON.stringify(lines)).digest("hex");
}
