/** An image's name in its parts, e.g. `ghcr.io/x/vllm:1.2@sha256:…`. */
export interface Reference {
    /** As written: `ghcr.io`; undefined when the name has none, which to Docker means its hub. */
    readonly registry?: string;
    /** Without tag and digest, as written: `ghcr.io/x/vllm`. */
    readonly name: string;
    readonly tag?: string;
    /** `sha256:` and 64 hex digits. */
    readonly digest?: string;
}

/** A registry, or a part of one, that is reached elsewhere. */
export interface Mirror {
    /** Beginning of names, whole parts: `docker.io`, `nvcr.io/nvidia`. */
    readonly from: string;
    /** What stands there instead: `nas.lan:5000/hub`. */
    readonly to: string;
}

/** What Docker takes for the registry of a name without one. */
const hub = "docker.io";

/** Splits an image's name by Docker's own rule: a first part with a dot or a port is a registry. */
export function readReference(reference: string): Reference {
    const [named = "", digest] = reference.split("@", 2);
    const [first = ""] = named.split("/", 1);
    const hasRegistry = named.includes("/") && (/[.:]/.test(first) || first === "localhost");
    const colon = named.lastIndexOf(":");
    const hasTag = colon > named.lastIndexOf("/");
    return {
        ...(hasRegistry ? { registry: first } : {}),
        name: hasTag ? named.slice(0, colon) : named,
        ...(hasTag ? { tag: named.slice(colon + 1) } : {}),
        ...(digest === undefined ? {} : { digest }),
    };
}

/** The registry that Docker would ask for an image. */
export function registryOf(reference: string): string {
    return readReference(reference).registry ?? hub;
}

/** The name to ask for instead, where a mirror stands in; of several that fit the longest holds. */
export function mirrored(reference: string, mirrors: readonly Mirror[]): string {
    const { registry, name } = readReference(reference);
    const onHub = name.includes("/") ? `${hub}/${name}` : `${hub}/library/${name}`;
    const full = registry === undefined ? onHub : name;
    const [mirror] = mirrors
        .filter(({ from }) => full.startsWith(`${from}/`) || full === from)
        .toSorted((a, b) => b.from.length - a.from.length);
    if (mirror === undefined) return reference;
    return mirror.to + full.slice(mirror.from.length) + reference.slice(name.length);
}
