import { type KeptImage, ownNames, ownTags } from "./ownImage";

/** An image that served a stack on a node, with the JIT caches of its starts. */
export interface Release {
    /** `organization/project/stack`. */
    readonly owner: string;
    readonly tag: string;
    /** RFC 3339, of the last start. */
    readonly servedAt: string;
    readonly caches: readonly { readonly path: string; readonly stamp: string }[];
}

export interface KeptCache {
    readonly path: string;
    /** The directory that ranks mount; those set aside are beside it. */
    readonly directory: string;
    readonly inPlace: boolean;
    /** Empty: of unknown origin. */
    readonly stamp: string;
    readonly changedSeconds: number;
    readonly bytes: number;
}

/** All containers of a node count, running or not, ours or not. */
export interface SeenContainer {
    readonly name: string;
    readonly image: string;
    readonly mounts: readonly { readonly Source?: string }[];
}

/** What a node keeps. */
export interface Kept {
    readonly releases: readonly Release[];
    readonly images: readonly KeptImage[];
    readonly caches: readonly KeptCache[];
    readonly containers: readonly SeenContainer[];
}

export interface PruneRule {
    readonly owner: string;
    /** Images of this owner that stay; 0: none (purge). */
    readonly retain: number;
    readonly images: boolean;
    readonly caches: boolean;
    /** What goes of images and caches that no release names. all: caches of unknown origin set aside too. */
    readonly strays: "none" | "day-old" | "all";
    readonly nowSeconds: number;
}

export interface Prunable {
    /** With the names to remove: tags, or an id. */
    readonly images: readonly { readonly names: readonly string[]; readonly bytes: number }[];
    readonly caches: readonly KeptCache[];
    /** Releases of which nothing is left. */
    readonly releases: readonly Release[];
}

/**
 * The caches that a start mounts, with the stamps that they carry. Not with the stamp that the image check gave: preview
 * does not know that one whenever the check runs anew, and so could not tell whether there is anything to note.
 */
export function cachesInPlace(
    { caches }: Pick<Kept, "caches">,
    directories: readonly string[],
): Release["caches"] {
    return caches.flatMap(({ directory, inPlace, stamp }) =>
        inPlace && stamp !== "" && directories.includes(directory)
            ? [{ path: directory, stamp }]
            : [],
    );
}

const daySeconds = 86_400;

/** The releases that stay: of this owner those of the last `retain` images, of others all. */
function split(releases: readonly Release[], { owner, retain }: PruneRule) {
    const own = releases
        .filter((release) => release.owner === owner)
        .toSorted((a, b) => (a.servedAt < b.servedAt ? 1 : -1));
    const others = releases.filter((release) => release.owner !== owner);
    return { kept: [...others, ...own.slice(0, retain)], gone: own.slice(retain) };
}

const overlaps = (a: string, b: string) =>
    a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

/**
 * What goes: images older than the last ones, their caches, and strays as the rule says. Never what a container uses,
 * running or stopped, never what another stack still counts as its own.
 */
export function decidePrune(kept: Kept, rule: PruneRule): Prunable {
    const releases = split(kept.releases, rule);
    const tagsKept = new Set(releases.kept.map(({ tag }) => tag));
    const tagsGone = new Set(releases.gone.map(({ tag }) => tag));
    const spared = unnoted(kept, rule);
    const images = kept.images.filter((image) => {
        const own = ownNames(image);
        if (own.length === 0 || own.some((tag) => tagsKept.has(tag))) return false;
        if (kept.containers.some((container) => container.image === image.id)) return false;
        if (own.some((tag) => tagsGone.has(tag))) return true;
        return !spared.includes(image) && isOld(Date.parse(image.created) / 1000, rule);
    });
    const caches = kept.caches.filter(
        (cache) =>
            !isNamed(releases.kept, cache) &&
            !isMounted(kept.containers, cache) &&
            (isNamed(releases.gone, cache) || isStray(cache, rule)),
    );
    const gone: Pick<Kept, "images" | "caches"> = {
        images: rule.images ? images : [],
        caches: rule.caches ? caches : [],
    };
    const left = {
        images: kept.images.filter((image) => !gone.images.includes(image)),
        caches: kept.caches.filter((cache) => !gone.caches.includes(cache)),
    };
    return {
        images: gone.images.map((image) => ({ names: ownNames(image), bytes: image.bytes })),
        caches: gone.caches,
        releases: releases.gone.filter((each) => nothingLeft(each, left, releases.kept)),
    };
}

/** Without notes of enough releases, the newest images of which nobody knows whether they served stay in their place. */
function unnoted({ releases, images }: Kept, { owner, retain }: PruneRule): readonly KeptImage[] {
    const noted = new Set(releases.map(({ tag }) => tag));
    const missing = retain - releases.filter((release) => release.owner === owner).length;
    return images
        .filter((image) => ownTags(image).length > 0 && !image.tags.some((tag) => noted.has(tag)))
        .toSorted((a, b) => Date.parse(b.created) - Date.parse(a.created))
        .slice(0, Math.max(0, missing));
}

/** What stays for another release's sake is none of this one's, or two stacks would hold it for each other for ever. */
function nothingLeft(
    release: Release,
    left: Pick<Kept, "images" | "caches">,
    others: readonly Release[],
): boolean {
    const named = others.some(({ tag }) => tag === release.tag);
    return (
        (named || !left.images.some(({ tags }) => tags.includes(release.tag))) &&
        !left.caches.some((cache) => isNamed([release], cache) && !isNamed(others, cache))
    );
}

function isMounted(
    containers: readonly SeenContainer[],
    { path, directory, inPlace }: KeptCache,
): boolean {
    // A directory may be a link: Docker tells a mount by the name it was given.
    const names = inPlace ? [path, directory] : [path];
    return containers.some(({ mounts }) =>
        mounts.some(
            ({ Source }) => Source !== undefined && names.some((name) => overlaps(Source, name)),
        ),
    );
}

function isOld(sinceSeconds: number, { strays, nowSeconds }: PruneRule): boolean {
    return strays === "all" || (strays === "day-old" && nowSeconds - sinceSeconds > daySeconds);
}

function isNamed(releases: readonly Release[], { directory, stamp }: KeptCache): boolean {
    return (
        stamp !== "" &&
        releases.some(({ caches }) =>
            caches.some((cache) => cache.path === directory && cache.stamp === stamp),
        )
    );
}

/** Goes though no release names it. One without a stamp is someone's from before this program: only `all` takes it. */
function isStray(cache: KeptCache, rule: PruneRule): boolean {
    if (cache.stamp === "" && (rule.strays !== "all" || cache.inPlace)) return false;
    return isOld(cache.changedSeconds, rule);
}
