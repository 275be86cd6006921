import { createHash } from "node:crypto";

import { RecipeError } from "../issue";
import type { GroupNode } from "./group";
import type { KeptImage } from "./ownImage";
import type { Kept, KeptCache, Release } from "./pruneDecide";
import lookScript from "./pruneLook.sh";
import { runScript } from "./ssh";

/** Sizes of caches with thousands of files take their time. */
const timeoutSeconds = 120;

async function run(node: GroupNode, ...args: readonly string[]): Promise<string> {
    const result = await runScript(node, lookScript, { args, timeoutSeconds });
    if (result.code === 0) return result.stdout;
    throw new RecipeError([
        {
            code: "docker",
            severity: "error",
            file: node.name,
            path: "",
            problem: `could not look at images and caches: ${result.stderr.trim()}`,
            expected: "Docker on the node to answer",
            fix: `try \`ssh ${node.ssh.destination} docker images\``,
        },
    ]);
}

/** All that a node keeps; caches of the releases and of the directories named. */
export async function lookAtKept(node: GroupNode, directories: readonly string[]): Promise<Kept> {
    const lines = (await run(node, "look")).split("\n").filter((line) => line !== "");
    const of = (kind: string): readonly unknown[] =>
        lines
            .filter((line) => line.startsWith(`${kind}\t`))
            .map((line) => JSON.parse(line.slice(kind.length + 1)) as unknown);
    const releases = of("release") as readonly Release[];
    const named = releases.flatMap(({ caches }) => caches.map(({ path }) => path));
    const all = [...new Set([...directories, ...named])];
    const text = all.length === 0 ? "" : await run(node, "caches", ...all);
    return {
        releases,
        images: (of("image") as readonly SeenImage[]).map(parseImage),
        containers: of("container") as Kept["containers"],
        caches: parseCaches(text),
    };
}

/** As Docker tells it: null, too, where there is none. */
type SeenImage = Omit<KeptImage, "tags" | "digests"> &
    Record<"tags" | "digests", readonly string[] | null>;

function parseImage(seen: SeenImage): KeptImage {
    return { ...seen, tags: seen.tags ?? [], digests: seen.digests ?? [] };
}

/** The lines that `pruneLook.sh caches` prints. */
export function parseCaches(text: string): readonly KeptCache[] {
    return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
            const [path = "", directory = "", where, stamp = "", changed, kib] = line.split("\t");
            return {
                path,
                directory,
                inPlace: where === "in-place",
                stamp,
                changedSeconds: Number(changed),
                bytes: Number(kib) * 1024,
            };
        });
}

function releaseId({ owner, tag }: Release): string {
    return createHash("sha256").update(`${owner}\n${tag}`).digest("hex").slice(0, 16);
}

/** Writes down that an image served, with the caches of this start and of earlier ones of the same image. */
export async function noteRelease(
    node: GroupNode,
    known: readonly Release[],
    release: Release,
): Promise<Release> {
    const id = releaseId(release);
    const earlier = known.find((other) => releaseId(other) === id)?.caches ?? [];
    const same = (a: Release["caches"][number], b: Release["caches"][number]) =>
        a.path === b.path && a.stamp === b.stamp;
    const older = earlier.filter((cache) => !release.caches.some((next) => same(cache, next)));
    const whole = { ...release, caches: [...older, ...release.caches] };
    await run(node, "note", id, JSON.stringify(whole));
    return whole;
}

/** Removes the notes of releases. */
export async function dropReleases(node: GroupNode, releases: readonly Release[]): Promise<void> {
    await run(node, "drop", ...releases.map(releaseId));
}
