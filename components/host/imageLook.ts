import { RecipeError } from "../issue";
import type { GroupNode } from "./group";
import lookScript from "./imageLook.sh";
import { runScript } from "./ssh";
import { lastLine } from "./lastLine";

/** An image as a node's Docker has it. */
export interface SeenImage {
    /** No identity across nodes: image stores count differently. */
    readonly id: string;
    readonly arch: string;
    readonly os: string;
    /** Digest of the build context; null for an image of others. */
    readonly context: string | null;
    /** Digests of the uncompressed layers: equal on two nodes exactly when the files are. */
    readonly layers: readonly string[];
    /** `name@sha256:…` for each registry that it came from or went to. */
    readonly digests: readonly string[];
    readonly bytes: number;
    /** What a container gets from it besides files, by its name in messages: variables, entry point, user, folder. */
    readonly settings: Readonly<Record<string, string>>;
}

/** What one node has of an image, and what it could take in. */
export interface ImageLook {
    readonly node: string;
    readonly image: SeenImage | null;
    /** Docker's folder. */
    readonly root: string;
    /** null: unknown. */
    readonly freeKib: number | null;
    /** Whether containerd keeps the images: it knows layers by other digests than Docker's own store. */
    readonly containerd: boolean;
    /** Layers of every image of the node; empty unless asked for. */
    readonly others: readonly (readonly string[])[];
}

/** Looks for an image on one node; changes nothing. Throws an issue when Docker does not answer. */
export async function lookAtImage(
    node: GroupNode,
    tag: string,
    signal?: AbortSignal,
    want: "image" | "layers" = "image",
): Promise<ImageLook> {
    const result = await runScript(node, lookScript, {
        args: [tag, want],
        timeoutSeconds: 60,
        ...(signal === undefined ? {} : { signal }),
    });
    if (result.code === 0) {
        const look = JSON.parse(result.stdout) as Omit<ImageLook, "node" | "image"> & {
            readonly image: RawImage | null;
        };
        const others = look.others.filter((layers: readonly string[] | null) => layers !== null);
        return { node: node.name, ...look, others, image: look.image && readImage(look.image) };
    }
    throw new RecipeError([
        {
            code: "docker",
            severity: "error",
            file: node.name,
            path: "",
            problem: `could not look for ${tag}: ${lastLine(result.stderr)}`,
            expected: "Docker on the node to answer",
            fix: `try \`ssh ${node.ssh.destination} docker image ls\``,
        },
    ]);
}

/** As Docker's template gives it: an absent label as an empty text, and empty lists as null. */
interface RawImage extends Omit<SeenImage, "layers" | "digests" | "settings"> {
    readonly layers: readonly string[] | null;
    readonly digests: readonly string[] | null;
    readonly settings: {
        readonly env: readonly string[] | null;
        readonly entrypoint: readonly string[] | null;
        readonly user: string;
        readonly folder: string;
    };
}

function readImage({ layers, digests, context, settings, ...rest }: RawImage): SeenImage {
    const { env, entrypoint, user, folder } = settings;
    const variables = (env ?? []).map((each) => {
        const at = each.indexOf("=");
        return [`variable ${each.slice(0, at)}`, each.slice(at + 1)] as const;
    });
    return {
        ...rest,
        layers: layers ?? [],
        digests: digests ?? [],
        context: context === "" ? null : context,
        settings: {
            ...Object.fromEntries(variables),
            ...(entrypoint === null ? {} : { "entry point": JSON.stringify(entrypoint) }),
            // Docker's own defaults, which some builders write out.
            user: user === "" ? "root" : user,
            folder: folder === "" ? "/" : folder,
        },
    };
}
